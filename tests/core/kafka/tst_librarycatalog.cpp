#include "core/kafka/librarycatalog.h"

#include <QTest>

#include <librdkafka/rdkafka.h>

using namespace topicscope;
using namespace topicscope::kafka;
using namespace Qt::StringLiterals;

namespace
{

const EngineProperty *find(const QList<EngineProperty> &properties, const QString &name)
{
    for (const EngineProperty &property : properties) {
        if (property.name == name)
            return &property;
    }
    return nullptr;
}

} // namespace

class tst_LibraryCatalog : public QObject
{
    Q_OBJECT
private slots:
    void aTableIsRead()
    {
        const auto properties = parseCatalog(
            u"## Global\n\nProperty | C/P | Range | Default | Importance | Description\n"
            "---|---|---|--:|---|---\n"
            "b.ms | * | 1 .. 5 | 2 | low | How `long`. <br>*Type: integer*\n"
            "a | * | | | low | One or | two.<br>*Type: string*\n"
            "a | P | | | low | Again. <br>*Type: string*\n"
            "x_cb | * | | | low | A callback <br>*Type: see dedicated API*\n"
            "cut | * | 1\n"_s);
        QCOMPARE(properties.size(), 2);
        QCOMPARE(properties[0].name, u"a"_s);
        QCOMPARE(properties[0].values, u"string"_s);
        QCOMPARE(properties[0].description, u"One or | two."_s);
        QCOMPARE(properties[1].values, u"1 .. 5"_s);
        QCOMPARE(properties[1].defaultValue, u"2"_s);
        QCOMPARE(properties[1].description, u"How `long`."_s);
    }

    void theLibrarysOwnFitsIt()
    {
        const LibraryCatalog catalog;
        QVERIFY(catalog.properties().size() > 100);
        for (const EngineProperty &property : catalog.properties()) {
            QVERIFY2(!property.description.isEmpty(), qPrintable(property.name));
            const QString problem = catalog.problem(property.name, {});
            QVERIFY2(!problem.contains(u"has no property"_s), qPrintable(problem));
        }
        const auto *protocol = find(catalog.properties(), u"security.protocol"_s);
        QVERIFY(protocol);
        QCOMPARE(protocol->values, u"plaintext, ssl, sasl_plaintext, sasl_ssl"_s);
        QCOMPARE(protocol->defaultValue, u"plaintext"_s);
    }

    void problemsAreToldInTheLibrarysWords()
    {
        const LibraryCatalog catalog;
        QCOMPARE(catalog.problem(u"socket.timeout.ms"_s, u"5000"_s), QString());
        QCOMPARE(catalog.problem(u"sasl.oauthbearer.token"_s, u"x"_s), QString());
        QCOMPARE(catalog.problem(u"sasl.oauthbearer.method"_s, u"oidc"_s), QString());
        QCOMPARE(catalog.problem(u"no.such"_s, u"1"_s),
                 u"librdkafka %1 has no property \"no.such\""_s.arg(
                     QString::fromLatin1(rd_kafka_version_str())));
        // Refused by name: the library would load it to check it.
        for (const auto &name : {u"plugin.library.paths"_s, u"interceptors"_s})
            QCOMPARE(catalog.problem(name, u"/x"_s),
                     name + u" is not allowed: it would load foreign code"_s);
        const QString range = catalog.problem(u"socket.timeout.ms"_s, u"1"_s);
        QVERIFY2(range.contains(u"10..300000"_s), qPrintable(range));
        const QString word = catalog.problem(u"security.protocol"_s, u"tls"_s);
        QVERIFY2(word.contains(u"tls"_s), qPrintable(word));
    }

    void knownLimitsAreNamedWithTheVersionThatHasThem()
    {
        const LibraryCatalog catalog;
        QCOMPARE(catalog.loginLimit(u"PLAIN"_s), QString());
        QCOMPARE(catalog.loginLimit(u"SCRAM-SHA-256"_s).contains(u"2.6.1"_s),
                 rd_kafka_version() < 0x02060100);
        QCOMPARE(catalog.loginLimit(u"GSSAPI"_s).contains(u"2.11.0"_s),
                 rd_kafka_version() < 0x020b0000);
    }
};

QTEST_APPLESS_MAIN(tst_LibraryCatalog)
#include "tst_librarycatalog.moc"
