#include "core/base/bytereader.h"
#include "core/base/bytewriter.h"
#include "core/booblik/topicname.h"

#include <QTest>

using namespace topicscope;
using namespace topicscope::booblik;
using namespace Qt::StringLiterals;

class tst_TopicName : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }

    void bytesAreAcceptedAsTheReferenceDoes_data();
    void bytesAreAcceptedAsTheReferenceDoes();
    void lengthFieldIsBounded_data();
    void lengthFieldIsBounded();
    void uncheckedReadingKeepsWhatTheBrokerSent();
};

void tst_TopicName::bytesAreAcceptedAsTheReferenceDoes_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("accepted");
    QTest::newRow("ASCII") << "A.b-c_9"_ba << true;
    QTest::newRow("just dots") << ".."_ba << true;
    QTest::newRow("Cyrillic") << u"заказы"_s.toUtf8() << true;
    QTest::newRow("CJK") << u"注文"_s.toUtf8() << true;
    QTest::newRow("Arabic digit") << u"٣"_s.toUtf8() << true;
    QTest::newRow("249 bytes") << QByteArray(249, 'a') << true;
    QTest::newRow("250 bytes") << QByteArray(250, 'a') << false;
    QTest::newRow("249 CJK characters, 747 bytes") << QString(249, u'文').toUtf8() << true;
    QTest::newRow("250 Cyrillic characters") << QString(250, u'ж').toUtf8() << false;
    QTest::newRow("blank") << "a b"_ba << false;
    QTest::newRow("slash") << "a/b"_ba << false;
    QTest::newRow("colon") << "a:b"_ba << false;
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << false;
    QTest::newRow("combining mark") << u"e\u0301"_s.toUtf8() << false;
    QTest::newRow("Roman numeral") << u"\u2167"_s.toUtf8() << false;
    QTest::newRow("superscript two") << u"\u00b2"_s.toUtf8() << false;
    QTest::newRow("emoji") << QByteArray::fromHex("f09f9a80") << false;
    QTest::newRow("letter beyond the basic plane") << QByteArray::fromHex("f09d9080") << false;
    QTest::newRow("byte order mark in front") << QByteArray::fromHex("efbbbf") + "demo" << false;
    QTest::newRow("byte order mark inside") << "de" + QByteArray::fromHex("efbbbf") << false;
    QTest::newRow("no UTF-8") << QByteArray::fromHex("fffe") << false;
    QTest::newRow("overlong") << QByteArray::fromHex("c1a1") << false;
    QTest::newRow("encoded surrogate") << QByteArray::fromHex("eda080") << false;
    QTest::newRow("empty") << ""_ba << false;
}

void tst_TopicName::bytesAreAcceptedAsTheReferenceDoes()
{
    QFETCH(QByteArray, name);
    QByteArray field;
    field.append(char(name.size() >> 8)).append(char(name.size() & 0xff)).append(name);
    ByteReader in(asBytes(field));
    const QString read = readTopicName(in);
    QTEST(in.ok(), "accepted");
    if (in.ok()) {
        QCOMPARE(read.toUtf8(), name);
        ByteWriter out;
        writeTopicName(out, read);
        QCOMPARE(out.take(), field);
    }
}

void tst_TopicName::lengthFieldIsBounded_data()
{
    QTest::addColumn<QByteArray>("field");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("half a length") << QByteArray::fromHex("00");
    QTest::newRow("zero") << QByteArray::fromHex("000061");
    QTest::newRow("longer than the frame") << QByteArray::fromHex("000261");
    QTest::newRow("65535") << QByteArray::fromHex("ffff61");
}

void tst_TopicName::lengthFieldIsBounded()
{
    QFETCH(QByteArray, field);
    ByteReader in(asBytes(field));
    readTopicName(in);
    QVERIFY(!in.ok());
}

void tst_TopicName::uncheckedReadingKeepsWhatTheBrokerSent()
{
    const QByteArray field = QByteArray::fromHex("0003 61ff62");
    ByteReader in(asBytes(field));
    QCOMPARE(readTopicNameUnchecked(in), u"a\ufffdb"_s);
    QVERIFY(in.ok());
}

QTEST_APPLESS_MAIN(tst_TopicName)
#include "tst_topicname.moc"
