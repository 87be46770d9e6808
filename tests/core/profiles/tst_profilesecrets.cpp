#include "core/profiles/profilesecrets.h"

#include <QSignalSpy>
#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

namespace
{

const QString kPassword = u"sasl.password"_s;
const QString kKeyPassword = u"ssl.key.password"_s;

/// A keychain that answers when it is told to.
class FakeKeychain final : public SecretStore
{
public:
    struct Kept {
        QHash<SecretKey, QString> secrets;
        QList<std::function<void()>> answers; ///< that wait
        std::optional<Error> error;
        int asked = 0;
        void answer()
        {
            for (const auto &each : std::exchange(answers, {}))
                each();
        }
    };
    explicit FakeKeychain(std::shared_ptr<Kept> kept)
        : m_kept(std::move(kept))
    {
    }
    void read(const SecretKey &key, QObject *, ReadAnswer answer) override
    {
        ++m_kept->asked;
        m_kept->answers.append([kept = m_kept, key, answer] {
            if (kept->error)
                answer(*kept->error);
            else if (kept->secrets.contains(key))
                answer(std::optional(kept->secrets.value(key)));
            else
                answer(std::optional<QString>());
        });
    }
    void write(const SecretKey &key, const QString &secret, QObject *, DoneAnswer answer) override
    {
        m_kept->answers.append([kept = m_kept, key, secret, answer] {
            if (kept->error) {
                answer(*kept->error);
                return;
            }
            kept->secrets.insert(key, secret);
            answer({});
        });
    }
    void remove(const SecretKey &key, QObject *, DoneAnswer answer) override
    {
        m_kept->secrets.remove(key);
        answer({});
    }

private:
    std::shared_ptr<Kept> m_kept;
};

} // namespace

class tst_ProfileSecrets : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        m_kept = std::make_shared<FakeKeychain::Kept>();
        m_secrets = std::make_unique<ProfileSecrets>(std::make_unique<FakeKeychain>(m_kept));
    }
    void whatIsKeptIsFoundByTheNextProgram();
    void withoutAKeychainMemoryServes();
    void aSilentKeychainHoldsUpNobody();
    void noLongerWantedInTheKeychain();
    void whatCannotBeKeptIsSaid();
    void theSystemsKeychainAnswersOrSaysThereIsNone();

private:
    Secrets found(ProfileSecrets &secrets, const QStringList &names)
    {
        std::optional<Secrets> result;
        secrets.find(u"id"_s, names, this, [&](const Secrets &found) { result = found; });
        m_kept->answer();
        [&] { QTRY_VERIFY(result); }();
        return *result;
    }

    std::shared_ptr<FakeKeychain::Kept> m_kept;
    std::unique_ptr<ProfileSecrets> m_secrets;
};

void tst_ProfileSecrets::whatIsKeptIsFoundByTheNextProgram()
{
    QSignalSpy changed(m_secrets.get(), &ProfileSecrets::changed);
    m_secrets->keep(u"id"_s, {{kPassword, u"p"_s}}, true);
    m_secrets->keep(u"id"_s, {{kPassword, u"p"_s}}, true);
    QCOMPARE(changed.count(), 1);
    m_kept->answer();
    ProfileSecrets next(std::make_unique<FakeKeychain>(m_kept));
    QSignalSpy keychain(&next, &ProfileSecrets::keychainFound);
    QCOMPARE(found(next, {kPassword, kKeyPassword}), Secrets({{kPassword, u"p"_s}}));
    QCOMPARE(next.keychain(), ProfileSecrets::Keychain::Present);
    QCOMPARE(keychain.count(), 1);
    next.forget(u"id"_s, {kPassword});
    QCOMPARE(found(next, {kPassword}), Secrets());
    QVERIFY(m_kept->secrets.isEmpty());
}

void tst_ProfileSecrets::withoutAKeychainMemoryServes()
{
    m_kept->error = Error::make(ErrorKind::Unsupported, {});
    m_secrets->probe();
    QCOMPARE(m_secrets->keychain(), ProfileSecrets::Keychain::Unknown);
    m_kept->answer();
    QCOMPARE(m_secrets->keychain(), ProfileSecrets::Keychain::None);
    m_secrets->keep(u"id"_s, {{kPassword, u"p"_s}}, true);
    QCOMPARE(found(*m_secrets, {kPassword, kKeyPassword}), Secrets({{kPassword, u"p"_s}}));
    QCOMPARE(m_kept->asked, 1);

    ProfileSecrets none(nullptr);
    QCOMPARE(none.keychain(), ProfileSecrets::Keychain::None);
    QCOMPARE(found(none, {kPassword}), Secrets());
}

void tst_ProfileSecrets::aSilentKeychainHoldsUpNobody()
{
    bool answered = false;
    m_secrets->find(u"id"_s, {kPassword}, this, [&](const auto &) { answered = true; });
    // Typed by the user meanwhile.
    m_secrets->keep(u"id"_s, {{kPassword, u"p"_s}}, false);
    QVERIFY(!answered);
    bool fromMemory = false;
    m_secrets->find(u"id"_s, {kPassword}, this, [&](const auto &) { fromMemory = true; });
    QTRY_VERIFY(fromMemory);
    QVERIFY(!answered);
    auto answers = std::exchange(m_kept->answers, {});
    m_secrets.reset();
    for (const auto &late : answers)
        late(); // reaches nobody
    QVERIFY(!answered);
}

void tst_ProfileSecrets::noLongerWantedInTheKeychain()
{
    m_secrets->keep(u"id"_s, {{kPassword, u"p"_s}}, true);
    m_kept->answer();
    QCOMPARE(m_kept->secrets.size(), 1);
    // Of use now, and no word about the keychain.
    QSignalSpy changed(m_secrets.get(), &ProfileSecrets::changed);
    m_secrets->use(u"id"_s, {{kPassword, u"q"_s}});
    QCOMPARE(changed.count(), 1);
    QCOMPARE(found(*m_secrets, {kPassword}), Secrets({{kPassword, u"q"_s}}));
    QCOMPARE(m_kept->secrets.size(), 1);
    m_secrets->keep(u"id"_s, {{kPassword, u"p"_s}}, false);
    QCOMPARE(m_kept->secrets.size(), 0);
    QCOMPARE(found(*m_secrets, {kPassword}), Secrets({{kPassword, u"p"_s}}));
}

void tst_ProfileSecrets::whatCannotBeKeptIsSaid()
{
    QSignalSpy notKept(m_secrets.get(), &ProfileSecrets::notKept);
    m_kept->error = Error::make(ErrorKind::Io, u"locked"_s);
    m_secrets->keep(u"id"_s, {{kPassword, u"p"_s}}, true);
    m_kept->answer();
    QCOMPARE(notKept.count(), 1);
    QCOMPARE(found(*m_secrets, {kPassword}), Secrets({{kPassword, u"p"_s}}));
}

/// Whichever machine this runs on: never our own entries, and never an endless wait on one without.
void tst_ProfileSecrets::theSystemsKeychainAnswersOrSaysThereIsNone()
{
    if (qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS"))
        return; // its keychain may ask the user
    auto keychain = systemKeychain();
    if (!keychain)
        return; // built without
    std::optional<ErrorKind> said;
    keychain->read({u"tst"_s, u"tst"_s}, this, [&](const auto &answer) {
        said = answer ? ErrorKind::Cancelled : answer.error().kind;
    });
    QVERIFY(!said);
    QTRY_VERIFY_WITH_TIMEOUT(said, 20'000);
#ifdef Q_OS_LINUX
    QVERIFY2(*said == ErrorKind::Unsupported || *said == ErrorKind::Io,
             qPrintable(errorKindName(*said)));
#endif
}

QTEST_GUILESS_MAIN(tst_ProfileSecrets)
#include "tst_profilesecrets.moc"
