#include "core/base/bytewriter.h"
#include "core/decode/formats.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

class tst_Formats final : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void knowsAllThatNeedNoSchema();
    void readsAvroSchemas();
#ifdef TOPICSCOPE_WITH_PROTOBUF
    void readsProtobufSchemas();
#endif
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();

private:
    QString path(const QString &name) const
    {
        return m_folder.filePath(name);
    }
    void write(const QString &name, const QByteArray &text) const;

    QTemporaryDir m_folder;
};

void tst_Formats::write(const QString &name, const QByteArray &text) const
{
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

void tst_Formats::initTestCase()
{
    write(u"test.avsc"_s, R"({"type":"record","name":"test","fields":[
        {"name":"a","type":"long"},{"name":"b","type":"string"}]})");
    write(u"broken.avsc"_s, "{");
    write(u"two.proto"_s, "syntax = \"proto3\"; message A { int32 a = 1; } message B {}");
    write(u"one#1.proto"_s, "syntax = \"proto3\"; message A { int32 a = 1; }");
}

void tst_Formats::knowsAllThatNeedNoSchema()
{
    for (const PayloadCodec *codec : PayloadCodec::all()) {
        const auto format = formatNamed(codec->name());
        QVERIFY(format.ok());
        QCOMPARE(format->get(), codec);
        QVERIFY(formatNames().contains(codec->name()));
    }
    QCOMPARE(formatNamed(u"auto"_s)->get(), PayloadCodec::automatic());
}

void tst_Formats::readsAvroSchemas()
{
    const auto format = formatNamed(u"avro:"_s + path(u"test.avsc"_s));
    QVERIFY(format.ok());
    QCOMPARE((*format)->title(), u"Avro (test)"_s);
    QCOMPARE((*format)->name(), u"avro:"_s + path(u"test.avsc"_s));
    const QByteArray bytes = QByteArray::fromHex("3606666f6f");
    QCOMPARE((*format)->decode(asBytes(bytes), {}).text, u"{\"a\": 27, \"b\": \"foo\"}"_s);
    const DecodedPayload broken = (*format)->decode(asBytes(bytes.first(3)), {});
    QCOMPARE(broken.text, u"360666"_s);
    QCOMPARE(broken.problem, u"byte 1: string: 3 bytes, but 1 are left"_s);
}

#ifdef TOPICSCOPE_WITH_PROTOBUF
void tst_Formats::readsProtobufSchemas()
{
    const auto format = formatNamed(u"protobuf:"_s + path(u"two.proto"_s) + u"#A"_s);
    QVERIFY(format.ok());
    QCOMPARE((*format)->title(), u"Protobuf (A)"_s);
    const QByteArray bytes = QByteArray::fromHex("089601");
    QCOMPARE((*format)->decode(asBytes(bytes), {}).text, u"{a: 150}"_s);
    QVERIFY(formatNamed(u"protobuf:"_s + path(u"one#1.proto"_s)).ok());
    QVERIFY(formatNamed(u"protobuf:"_s + path(u"one#1.proto"_s) + u"#A"_s).ok());
    QCOMPARE(formatNamed(u"protobuf:"_s + path(u"two.proto"_s)).error().detail,
             path(u"two.proto"_s) + u": which message is it? there are: A, B"_s);
}
#endif

void tst_Formats::saysWhatIsWrong_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("why");
    QTest::newRow("unknown") << u"cobr"_s << u"unknown format 'cobr'; there are: text, "_s;
    QTest::newRow("no registry") << u"registry"_s << u"no schema registry is given"_s;
    QTest::newRow("no file") << u"avro:"_s + path(u"none.avsc"_s) << u"No such file"_s;
    QTest::newRow("no schema") << u"avro:"_s + path(u"broken.avsc"_s)
                               << u"broken.avsc: the schema is no JSON"_s;
}

void tst_Formats::saysWhatIsWrong()
{
    QFETCH(const QString, name);
    QFETCH(const QString, why);
    const auto format = formatNamed(name);
    QVERIFY(!format.ok());
    QVERIFY2(format.error().detail.contains(why), qPrintable(format.error().detail));
}

QTEST_APPLESS_MAIN(tst_Formats)
#include "tst_formats.moc"
