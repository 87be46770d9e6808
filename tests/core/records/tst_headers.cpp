#include "core/records/headers.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

namespace
{

std::span<const std::byte> bytesOf(const QByteArray &bytes)
{
    return std::as_bytes(std::span(bytes.constData(), size_t(bytes.size())));
}

/// By hand, from the format: a varint is zig-zag, so 1 is 02, 4 is 08, -1 is 01.
const HeaderList kHeaders{{"a", "b"}, {"a", QByteArray("")}, {"", std::nullopt}, {"\xFF", "cdef"}};
const QByteArray kBytes = QByteArray::fromHex("08"               // 4 headers
                                              "02610262"         // a = b
                                              "026100"           // a = ""
                                              "0001"             // "" = null
                                              "02ff0863646566"); // ff = cdef

} // namespace

class tst_Headers : public QObject
{
    Q_OBJECT

private slots:
    void writesTheRecordFormat()
    {
        QByteArray out;
        appendHeaders(out, kHeaders);
        QCOMPARE(out, kBytes);
    }

    void readsTheRecordFormat()
    {
        const auto headers = readHeaders(bytesOf(kBytes));
        QVERIFY(headers);
        QCOMPARE(headers->size(), 4);
        QVERIFY(*headers == kHeaders);
        QVERIFY((*headers)[1].value.has_value());
        QVERIFY(!(*headers)[2].value.has_value());
    }

    void aLengthOf128TakesTwoBytes()
    {
        QByteArray out;
        appendHeaders(out, {{QByteArray(128, 'n'), QByteArray()}});
        QCOMPARE(out.first(3), QByteArray::fromHex("028002"));
        const auto headers = readHeaders(bytesOf(out));
        QVERIFY(headers);
        QCOMPARE(headers->constFirst().name, QByteArray(128, 'n'));
    }

    void noBytesAreNoHeaders()
    {
        const auto headers = readHeaders({});
        QVERIFY(headers);
        QVERIFY(headers->isEmpty());
    }

    void damagedListsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        for (qsizetype cut = 1; cut < kBytes.size(); ++cut)
            QTest::addRow("cut after %d", int(cut)) << kBytes.first(cut);
        QTest::addRow("a byte left over") << kBytes + '\0';
        QTest::addRow("two thousand million headers") << QByteArray::fromHex("feffffff0f0000");
        QTest::addRow("a negative count") << QByteArray::fromHex("0100");
        QTest::addRow("a negative name") << QByteArray::fromHex("020100");
        QTest::addRow("a value of -2 bytes") << QByteArray::fromHex("02026103");
        QTest::addRow("an endless varint") << QByteArray::fromHex("8080808080808080");
    }
    void damagedListsAreRefused()
    {
        QFETCH(const QByteArray, bytes);
        const auto headers = readHeaders(bytesOf(bytes));
        QVERIFY(!headers);
        QCOMPARE(headers.error().kind, ErrorKind::Protocol);
    }
};

QTEST_APPLESS_MAIN(tst_Headers)
#include "tst_headers.moc"
