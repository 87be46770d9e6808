#include "core/booblik/boobliksession.h"
#include "tests/support/hostilebroker.h"
#include "tests/support/promptness.h"
#include "ui/dialogs/doctordialog.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>

#include <future>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

namespace
{

std::unique_ptr<BrokerSession> makeBooblik(const SessionConfig &config)
{
    return std::make_unique<booblik::BooblikSession>(config);
}

/// Keeps its topics to itself until it is destroyed.
class SilentBroker
{
public:
    SilentBroker()
        : m_log({{"orders", 1}})
    {
        m_log.intercept = [released = m_release.get_future().share()](const auto &request) {
            constexpr qint16 kMetadata = 3;
            if (request.apiKey == kMetadata)
                released.wait();
            return std::optional<QByteArray>();
        };
        m_broker = std::make_unique<HostileBroker>(m_log.script());
    }
    ~SilentBroker() { m_release.set_value(); }
    Q_DISABLE_COPY_MOVE(SilentBroker)

    /// Of one who would wait for minutes.
    SessionConfig config() const
    {
        SessionConfig config = m_broker->config();
        config.requestTimeout = std::chrono::minutes(5);
        return config;
    }
    int connections() const { return m_broker->connections(); }

private:
    std::promise<void> m_release;
    MemoryLog m_log;
    std::unique_ptr<HostileBroker> m_broker;
};

SessionConfig configFor(quint16 port)
{
    SessionConfig config;
    config.host = u"127.0.0.1"_s;
    config.port = port;
    return config;
}

template <typename T>
T *child(const QWidget &dialog, const QString &name)
{
    return dialog.findChild<T *>(name);
}

QString outcome(const QWidget &dialog)
{
    return child<QLabel>(dialog, u"outcome"_s)->text();
}

} // namespace

class tst_DoctorDialog : public QObject
{
    Q_OBJECT
private slots:
    void eachStepHasItsRow();
    void aFailureSaysWhatToDoNext();
    void itCanBeStoppedAndRunAgain();
    void closedWhileItWaits();
};

void tst_DoctorDialog::eachStepHasItsRow()
{
    MemoryLog log({{"orders", 2}});
    log.append("orders", 0, "one");
    const HostileBroker broker(log.script());
    const DoctorDialog dialog(makeBooblik, configFor(broker.port()));
    QTRY_COMPARE(outcome(dialog), u"Everything works."_s);
    const auto *steps = child<QTreeWidget>(dialog, u"steps"_s);
    QStringList names;
    for (int i = 0; i < steps->topLevelItemCount(); ++i)
        names << steps->topLevelItem(i)->text(0);
    QCOMPARE(names, QStringList({u"Connection"_s, u"Protocol"_s, u"Topics"_s, u"Fetch"_s}));
    QCOMPARE(steps->topLevelItem(2)->text(3), u"1 topic, 2 partitions"_s);
    child<QPushButton>(dialog, u"copyButton"_s)->click();
    QVERIFY(QGuiApplication::clipboard()->text().contains(u"passed  Fetch  orders/0"_s));
}

void tst_DoctorDialog::aFailureSaysWhatToDoNext()
{
    const HostileBroker web([](HostileBroker::Peer &peer) {
        peer.readBytes(4);
        peer.write("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    const DoctorDialog dialog(makeBooblik, configFor(web.port()));
    QTRY_VERIFY(outcome(dialog).contains(u"what to do next"_s));
    const auto *steps = child<QTreeWidget>(dialog, u"steps"_s);
    const QTreeWidgetItem *last = steps->topLevelItem(steps->topLevelItemCount() - 1);
    QCOMPARE(last->text(0), u"Protocol"_s);
    QVERIFY2(last->text(3).contains(u"web server"_s), qPrintable(last->text(3)));
    QVERIFY2(last->text(3).contains(u"Check the port"_s), qPrintable(last->text(3)));
    // Not by its colour alone.
    QVERIFY(last->data(0, Qt::AccessibleTextRole).toString().contains(u"failed"_s));
}

void tst_DoctorDialog::itCanBeStoppedAndRunAgain()
{
    const SilentBroker silent;
    const DoctorDialog dialog(makeBooblik, silent.config());
    auto *button = child<QPushButton>(dialog, u"againButton"_s);
    const auto *steps = child<QTreeWidget>(dialog, u"steps"_s);
    QTRY_COMPARE(steps->topLevelItemCount(), 2); // connected, known, and waits
    button->click();
    QCOMPARE(outcome(dialog), u"Stopped."_s);
    button->click();
    QCOMPARE(steps->topLevelItemCount(), 0);
    QTRY_COMPARE(steps->topLevelItemCount(), 2);
    QTRY_COMPARE(silent.connections(), 4); // to look who answers, and to log in, each time
}

void tst_DoctorDialog::closedWhileItWaits()
{
    const SilentBroker silent;
    const qint64 quickestMs = quickest([&](qint64 &took) {
        auto dialog = std::make_unique<DoctorDialog>(makeBooblik, silent.config());
        const auto *steps = child<QTreeWidget>(*dialog, u"steps"_s);
        QTRY_COMPARE(steps->topLevelItemCount(), 2);
        QElapsedTimer timer;
        timer.start();
        dialog.reset(); // the examination itself would wait minutes for an answer
        took = timer.elapsed();
    });
    QVERIFY2(quickestMs < 1'000, qPrintable(QString::number(quickestMs)));
}

QTEST_MAIN(tst_DoctorDialog)

#include "tst_doctordialog.moc"
