// Kept connections in the window: what is remembered of one whose login is not known yet, and an
// open one that is edited.

#include "core/profiles/profilesecrets.h"
#include "tests/ui/windowbench.h"
#include "ui/dialogs/secretsdialog.h"

#include <QAction>
#include <QLineEdit>
#include <QMenu>

#include <mutex>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

namespace
{

SessionConfig profile(const QString &name)
{
    SessionConfig config;
    config.engine = Engine::Kafka;
    config.name = name;
    config.host = u"kafka"_s;
    config.port = 9092;
    config.properties = {{u"security.protocol"_s, u"sasl_ssl"_s},
                         {u"sasl.mechanism"_s, u"PLAIN"_s},
                         {u"sasl.username"_s, u"alice"_s}};
    return config;
}

const Place kOrders{u"staging"_s, u"orders"_s, PartitionId{1}, {}};

} // namespace

class tst_WindowProfiles final : public WindowBench
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();

    void tabsOutliveALoginThatWasPutOff();
    void tabsAreOpenedWhenTheLoginIsGivenLater();
    void tabsFollowARename();
    void editedSettingsAreOpenedOnceAndOnlyTheNewOnes();
    void theLastOfTwoEditsIsOpened();

private:
    void openAtStart();
    SecretsDialog *question() const
    {
        const auto all = m_window->findChildren<SecretsDialog *>();
        return all.isEmpty() ? nullptr : all.constLast();
    }
    void answer(const QString &password) const;
    QTabWidget *tabs() const { return child<QTabWidget>(u"recordTabs"_s); }
    /// Hosts the window's own sessions were made for.
    QStringList hosts() const;

    QString m_id;
    std::shared_ptr<QList<SessionConfig>> m_made;
    std::shared_ptr<std::mutex> m_mutex;
    std::unique_ptr<ProfileSecrets> m_secrets;
};

void tst_WindowProfiles::init()
{
    WindowBench::init();
    m_broker.addTopic(u"orders"_s, 2);
    m_made = std::make_shared<QList<SessionConfig>>();
    m_mutex = std::make_shared<std::mutex>();
    m_secrets = std::make_unique<ProfileSecrets>(nullptr);
    m_id = m_store->add(profile(u"staging"_s)).value();
    showWindow(
        [factory = m_broker.factory(), made = m_made,
         mutex = m_mutex](const SessionConfig &config) {
            const std::scoped_lock lock(*mutex);
            made->append(config);
            return factory(config);
        },
        m_secrets.get());
}

void tst_WindowProfiles::cleanup()
{
    WindowBench::cleanup();
    m_secrets.reset();
}

/// As the program does for what was open last time; ends with the question for the password.
void tst_WindowProfiles::openAtStart()
{
    m_window->connectKept(*m_store->byId(m_id), {kOrders});
    QTRY_VERIFY(question());
}

void tst_WindowProfiles::answer(const QString &password) const
{
    QTRY_VERIFY(question());
    question()->findChild<QLineEdit *>()->setText(password);
    question()->accept();
}

QStringList tst_WindowProfiles::hosts() const
{
    const std::scoped_lock lock(*m_mutex);
    QStringList hosts;
    for (const SessionConfig &config : std::as_const(*m_made))
        hosts << config.host;
    return hosts;
}

void tst_WindowProfiles::tabsOutliveALoginThatWasPutOff()
{
    openAtStart();
    question()->reject();
    m_window->close();
    QCOMPARE(m_settings->places(), std::vector<Place>{kOrders});
}

void tst_WindowProfiles::tabsAreOpenedWhenTheLoginIsGivenLater()
{
    openAtStart();
    question()->reject();
    QTRY_VERIFY(!question());
    QVERIFY(m_made->isEmpty());
    m_window->connectKept(*m_store->byId(m_id)); // by the menu
    answer(u"secret"_s);
    QTRY_COMPARE(tabs()->count(), 1);
    const auto *panel = qobject_cast<RecordPanel *>(tabs()->widget(0));
    QVERIFY(panel);
    QCOMPARE(panel->topic(), u"orders"_s);
    QCOMPARE(panel->partition(), PartitionId{1});
    m_window->close();
    QCOMPARE(m_settings->places(), std::vector<Place>{kOrders}); // once
}

void tst_WindowProfiles::tabsFollowARename()
{
    openAtStart();
    question()->reject();
    QVERIFY(m_store->update(m_id, profile(u"production"_s)).ok());
    m_window->close();
    const Place renamed{u"production"_s, u"orders"_s, PartitionId{1}, {}};
    QCOMPARE(m_settings->places(), std::vector<Place>{renamed});
}

void tst_WindowProfiles::editedSettingsAreOpenedOnceAndOnlyTheNewOnes()
{
    m_secrets->use(m_id, {{u"sasl.password"_s, u"old"_s}});
    m_window->connectKept(*m_store->byId(m_id));
    QTRY_COMPARE(hosts(), QStringList{u"kafka"_s});
    // As the dialog does: a new password for another broker.
    SessionConfig config = profile(u"staging"_s);
    config.host = u"other"_s;
    m_secrets->keep(m_id, {{u"sasl.password"_s, u"new"_s}}, false);
    QVERIFY(m_store->update(m_id, config).ok());
    QTRY_VERIFY(hosts().size() > 1);
    QTRY_COMPARE(m_broker.liveSessions(), 1);
    // The old broker must not be given the new password.
    QCOMPARE(hosts(), QStringList({u"kafka"_s, u"other"_s}));
    QCOMPARE(m_made->constLast().properties.value(u"sasl.password"_s), u"new"_s);
}

void tst_WindowProfiles::theLastOfTwoEditsIsOpened()
{
    m_secrets->use(m_id, {{u"sasl.password"_s, u"p"_s}});
    m_window->connectKept(*m_store->byId(m_id));
    QTRY_COMPARE(hosts(), QStringList{u"kafka"_s});
    for (const QString &host : {u"second"_s, u"third"_s}) {
        SessionConfig config = profile(u"staging"_s);
        config.host = host;
        QVERIFY(m_store->update(m_id, config).ok());
    }
    QTRY_VERIFY(hosts().size() > 1);
    QTRY_COMPARE(m_broker.liveSessions(), 1);
    QCOMPARE(hosts(), QStringList({u"kafka"_s, u"third"_s}));
}

QTEST_MAIN(tst_WindowProfiles)

#include "tst_windowprofiles.moc"
