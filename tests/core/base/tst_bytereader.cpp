#include "core/base/bytereader.h"
#include "core/base/bytewriter.h"

#include <QTest>

using namespace topicscope;

class tst_ByteReader : public QObject
{
    Q_OBJECT
private slots:
    void fieldsAreBigEndian();
    void failureIsSticky();
    void negativeAndOverlongCountsFail();
    void countsAreBoundedByTheBytesLeft();
    void writerWritesWhatTheProtocolShows();
};

void tst_ByteReader::fieldsAreBigEndian()
{
    const QByteArray bytes = QByteArray::fromHex("01fffe0102030480000000000000007f");
    ByteReader in(asBytes(bytes));
    QCOMPARE(in.i8(), qint8(1));
    QCOMPARE(in.i16(), qint16(-2));
    QCOMPARE(in.i32(), 0x01020304);
    QCOMPARE(in.i64(), std::numeric_limits<qint64>::min());
    QCOMPARE(in.i8(), qint8(0x7f));
    QVERIFY(in.ok());
    QCOMPARE(in.left(), 0);
}

void tst_ByteReader::failureIsSticky()
{
    const QByteArray bytes("abc");
    ByteReader in(asBytes(bytes));
    QCOMPARE(in.i32(), 0);
    QVERIFY(!in.ok());
    QCOMPARE(in.i8(), qint8(0)); // would fit, but the position is no longer known
    QCOMPARE(in.left(), 0);
}

void tst_ByteReader::negativeAndOverlongCountsFail()
{
    const QByteArray bytes("abcd");
    ByteReader negative(asBytes(bytes));
    QVERIFY(negative.bytes(-1).empty());
    QVERIFY(!negative.ok());
    ByteReader tooMany(asBytes(bytes));
    QVERIFY(tooMany.bytes(5).empty());
    QVERIFY(!tooMany.ok());
}

void tst_ByteReader::countsAreBoundedByTheBytesLeft()
{
    const QByteArray two = QByteArray::fromHex("00000002") + QByteArray(8, 'x');
    ByteReader fits(asBytes(two));
    QCOMPARE(fits.count(4), 2);
    QVERIFY(fits.ok());
    ByteReader tooMany(asBytes(two));
    QCOMPARE(tooMany.count(5), 0);
    QVERIFY(!tooMany.ok());
    const QByteArray absurd = QByteArray::fromHex("7fffffff");
    ByteReader huge(asBytes(absurd));
    QCOMPARE(huge.count(1), 0);
    QVERIFY(!huge.ok());
    const QByteArray minus = QByteArray::fromHex("ffffffff0000");
    ByteReader negative(asBytes(minus));
    QCOMPARE(negative.count(1), 0);
    QVERIFY(!negative.ok());
}

void tst_ByteReader::writerWritesWhatTheProtocolShows()
{
    ByteWriter out;
    out.i32(13);
    out.i16(-2);
    out.u16(0x1234);
    out.i8(-1);
    out.i64(1);
    QCOMPARE(out.take().toHex(), QByteArray("0000000dfffe1234ff0000000000000001"));
}

QTEST_APPLESS_MAIN(tst_ByteReader)
#include "tst_bytereader.moc"
