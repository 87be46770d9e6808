#include "core/profiles/connectionstore.h"

#include <QFile>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

SessionConfig config(const QString &name, const QString &host = u"localhost"_s)
{
    SessionConfig config;
    config.name = name;
    config.host = host;
    config.port = 19092;
    return config;
}

QStringList names(const ConnectionStore &store)
{
    QStringList names;
    for (const auto &connection : store.connections())
        names << connection.config.name;
    return names;
}

} // namespace

class tst_ConnectionStore : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_dir = std::make_unique<QTemporaryDir>();
        m_file = m_dir->filePath(u"settings.ini"_s);
    }
    void everyFieldComesBack();
    void aKafkaConnectionComesBackWithoutItsSecrets();
    void orderIsKeptThroughEditAndRemove();
    void unknownKeysAndSenselessEntriesStay();
    void hostileValuesAreBounded();
    void noMoreThanTheLimit();
    void twoInstancesDoNotLoseEachOthersEntries();
    void failureToWriteIsSaid();

private:
    void write(const QByteArray &text)
    {
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QByteArray written() const
    {
        QFile file(m_file);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_file;
};

void tst_ConnectionStore::everyFieldComesBack()
{
    SessionConfig full = config(u"Prüfung, \"alt\" = 1/2"_s, u"fe80::1%eth0"_s);
    full.readOnly = true;
    full.connectTimeout = 1500ms;
    full.requestTimeout = 2500ms;
    full.publishTimeout = 3500ms;
    {
        ConnectionStore store(m_file);
        QSignalSpy changed(&store, &ConnectionStore::changed);
        QVERIFY(store.add(full).ok());
        QCOMPARE(changed.count(), 1);
    }
    const ConnectionStore again(m_file);
    QCOMPARE(again.connections().size(), 1);
    QCOMPARE(again.connections().at(0).config, full);
}

void tst_ConnectionStore::aKafkaConnectionComesBackWithoutItsSecrets()
{
    SessionConfig kafka;
    QVERIFY(kafka.setBroker(u"kafka://a:1,b:2"_s));
    kafka.name = u"prod"_s;
    const QMap<QString, QString> open = {
        {u"bootstrap.servers"_s, u"a:1,b:2"_s},
        {u"security.protocol"_s, u"sasl_ssl"_s},
        {u"sasl.mechanism"_s, u"PLAIN"_s},
        {u"sasl.username"_s, u"me, \"you\" = 1"_s},
        {u"ssl.ca.pem"_s, u"-----BEGIN\nEND-----\n"_s},
    };
    kafka.properties = open;
    kafka.properties.insert(u"sasl.password"_s, u"geheim"_s);
    kafka.properties.insert(u"ssl.key.pem"_s, u"geheimer"_s);
    QVERIFY(ConnectionStore(m_file).add(kafka));

    const ConnectionStore read(m_file);
    QCOMPARE(read.connections().size(), 1);
    const SessionConfig &back = read.connections().constFirst().config;
    QCOMPARE(back.address(), u"kafka://a:1,b:2"_s);
    QCOMPARE(back.properties, open);
    QCOMPARE(read.connections().constFirst().secrets,
             QStringList({u"sasl.password"_s, u"ssl.key.pem"_s}));
    QCOMPARE(read.byName(u"prod"_s)->id, read.connections().constFirst().id);
    QVERIFY(!read.byName(u"pro"_s));
    QFile file(m_file);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(!file.readAll().contains("geheim"));

    // Renamed while its secrets are not known, given another one, and one taken away.
    ConnectionStore store(m_file);
    const QString id = store.connections().constFirst().id;
    SessionConfig edited = back;
    edited.name = u"renamed"_s;
    QVERIFY(store.update(id, edited).ok());
    QCOMPARE(store.byId(id)->secrets, QStringList({u"sasl.password"_s, u"ssl.key.pem"_s}));
    edited.properties.insert(u"ssl.key.password"_s, u"p"_s);
    QVERIFY(store.update(id, edited, {u"ssl.key.pem"_s}).ok());
    QCOMPARE(store.byId(id)->secrets, QStringList({u"sasl.password"_s, u"ssl.key.password"_s}));
}

void tst_ConnectionStore::orderIsKeptThroughEditAndRemove()
{
    ConnectionStore store(m_file);
    const QString c = store.add(config(u"c"_s)).value();
    const QString a = store.add(config(u"a"_s)).value();
    QVERIFY(store.add(config(u"b"_s)).ok());
    QSignalSpy updated(&store, &ConnectionStore::updated);
    QVERIFY(store.update(c, config(u"c"_s)).ok()); // nothing new
    QCOMPARE(updated.count(), 0);
    QVERIFY(store.update(c, config(u"z"_s)).ok());
    QCOMPARE(updated.count(), 1);
    QCOMPARE(updated.at(0).at(0).value<SessionConfig>(), config(u"c"_s));
    QCOMPARE(updated.at(0).at(1).value<SessionConfig>(), config(u"z"_s));
    QVERIFY(store.remove(a).ok());
    QCOMPARE(names(store), QStringList({u"z"_s, u"b"_s}));
    QCOMPARE(names(ConnectionStore(m_file)), QStringList({u"z"_s, u"b"_s}));
    QVERIFY(!written().contains(a.toLatin1()));
    QCOMPARE(store.update(a, config(u"x"_s)).error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(store.remove(a).error().kind, ErrorKind::InvalidArgument);
}

void tst_ConnectionStore::unknownKeysAndSenselessEntriesStay()
{
    write("[other]\nkey=1\n[connections]\norder=one, kafka\n"
          "one\\host=localhost\none\\port=9092\none\\tls=yes\n"
          "kafka\\engine=kafka\nkafka\\bootstrap=a:1\n");
    ConnectionStore store(m_file);
    QCOMPARE(store.connections().size(), 1);
    QVERIFY(store.update(u"one"_s, config(u"renamed"_s)).ok());
    QVERIFY(store.add(config(u"two"_s)).ok());
    const QByteArray text = written();
    for (const char *kept : {"key=1", "one\\tls=yes", "kafka\\engine=kafka", "one\\name=renamed"})
        QVERIFY2(text.contains(kept), text.constData());
}

void tst_ConnectionStore::hostileValuesAreBounded()
{
    write("[connections]\n"
          "a\\host=h\na\\port=0\n"
          "b\\host=h\nb\\port=65536\n"
          "c\\host=h\nc\\port=x\n"
          "d\\host=\nd\\port=1\n"
          "e\\host=h\ne\\port=1\ne\\connectTimeoutMs=-5\ne\\requestTimeoutMs=999999999999\n"
          "e\\publishTimeoutMs=soon\ne\\name=" +
          QByteArray(5000, 'n') + "\n");
    const ConnectionStore store(m_file);
    QCOMPARE(store.connections().size(), 1);
    const SessionConfig read = store.connections().at(0).config;
    QCOMPARE(read.name.size(), ConnectionStore::kMaxNameChars);
    QCOMPARE(read.connectTimeout, 100ms);
    QCOMPARE(read.requestTimeout, 600'000ms);
    QCOMPARE(read.publishTimeout, SessionConfig().publishTimeout);
}

void tst_ConnectionStore::noMoreThanTheLimit()
{
    QByteArray text = "[connections]\n";
    for (int i = 0; i < 250; ++i)
        text +=
            "id" + QByteArray::number(i) + "\\host=h\nid" + QByteArray::number(i) + "\\port=1\n";
    write(text);
    ConnectionStore store(m_file);
    QCOMPARE(store.connections().size(), 200);
    QCOMPARE(store.add(config(u"more"_s)).error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(store.connections().size(), 200);
}

void tst_ConnectionStore::twoInstancesDoNotLoseEachOthersEntries()
{
    ConnectionStore first(m_file);
    ConnectionStore second(m_file);
    QVERIFY(first.add(config(u"first"_s)).ok());
    QVERIFY(second.add(config(u"second"_s)).ok());
    first.reload();
    QCOMPARE(names(first), QStringList({u"first"_s, u"second"_s}));
}

void tst_ConnectionStore::failureToWriteIsSaid()
{
    // A folder where the file should be: not writable for root either.
    QVERIFY(QDir().mkpath(m_file));
    ConnectionStore store(m_file);
    const auto added = store.add(config(u"lost"_s));
    QVERIFY(!added.ok());
    QCOMPARE(added.error().kind, ErrorKind::Io);
    QCOMPARE(added.error().where.endpoint, m_file);
}

QTEST_GUILESS_MAIN(tst_ConnectionStore)
#include "tst_connectionstore.moc"
