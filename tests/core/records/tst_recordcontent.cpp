#include "core/records/recordcontent.h"

#include <QJsonDocument>
#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

class tst_RecordContent : public QObject
{
    Q_OBJECT
private slots:
    void everyByteComesBack();
    void somethingElseIsRefused_data();
    void somethingElseIsRefused();
    void aStoredRecordsContent();
};

void tst_RecordContent::everyByteComesBack()
{
    const RecordContent content{
        QByteArray(""),
        std::nullopt,
        {{"b", QByteArray("\x00\xff", 2)}, {"\xfe", std::nullopt}, {"b", QByteArray("")}},
        std::numeric_limits<qint64>::min()};
    const QByteArray json = QJsonDocument(toJson(content)).toJson(QJsonDocument::Compact);
    // Base64 by hand: "b" is Yg==, 00 ff is AP8=, fe is /g==.
    QCOMPARE(json, QByteArray(R"({"headers":[{"name":"Yg==","value":"AP8="},)"
                              R"({"name":"/g==","value":null},{"name":"Yg==","value":""}],)"
                              R"("key":"","timestampMs":"-9223372036854775808","value":null})"));
    const auto back = recordContentFromJson(QJsonDocument::fromJson(json).object());
    QVERIFY(back.ok());
    QCOMPARE(back.value(), content);
    QVERIFY(back->key.has_value() && !back->value.has_value());
    const auto plain = recordContentFromJson(toJson({std::nullopt, QByteArray("v"), {}, {}}));
    QVERIFY(plain.ok());
    QVERIFY(!plain->key && plain->value == QByteArray("v") && !plain->timestampMs);
}

void tst_RecordContent::somethingElseIsRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("nothing") << QByteArray("{}");
    QTest::newRow("number") << QByteArray(R"({"key":1,"value":null,"headers":[]})");
    QTest::newRow("no base64") << QByteArray(R"({"key":"*","value":null,"headers":[]})");
    QTest::newRow("null name") << QByteArray(
        R"({"key":null,"value":"","headers":[{"name":null,"value":""}]})");
    QTest::newRow("header without value")
        << QByteArray(R"({"key":null,"value":"","headers":[{"name":""}]})");
    QTest::newRow("time") << QByteArray(
        R"({"key":null,"value":"","headers":[],"timestampMs":"soon"})");
}

void tst_RecordContent::somethingElseIsRefused()
{
    QFETCH(const QByteArray, json);
    QVERIFY(!recordContentFromJson(QJsonDocument::fromJson(json).object()).ok());
}

void tst_RecordContent::aStoredRecordsContent()
{
    const HeaderList headers{{"h", std::nullopt}, {"h", QByteArray("1")}};
    QByteArray bytes("key");
    appendHeaders(bytes, headers);
    Record record;
    record.flags = RecordFlag::HasKey | RecordFlag::HasHeaders | RecordFlag::NullValue |
                   RecordFlag::HasTimestamp;
    record.keySize = 3;
    record.valueBegin = quint32(bytes.size());
    record.frameBytes = record.valueBegin;
    Record other; // without a key, with an empty value
    other.offset = Offset{1};
    other.keyBegin = other.valueBegin = record.valueBegin;
    const RecordChunk chunk({u"t"_s, PartitionId{0}}, bytes, {record, other}, {5, 0});
    QCOMPARE(contentOf(chunk, chunk.records()[0]),
             (RecordContent{QByteArray("key"), std::nullopt, headers, {}}));
    const RecordContent empty = contentOf(chunk, chunk.records()[1]);
    QVERIFY(!empty.key && empty.value.has_value() && empty.headers.isEmpty());
}

QTEST_APPLESS_MAIN(tst_RecordContent)
#include "tst_recordcontent.moc"
