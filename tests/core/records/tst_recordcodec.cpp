#include "core/base/bytewriter.h"
#include "core/records/recordcodec.h"

#include <QElapsedTimer>
#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

namespace
{

// Three records as a running broker stored them: "abc", 00 ff, "n".
QByteArray threeRecords()
{
    return QByteArray::fromHex("00000003364b3fb7616263"
                               "000000025c1c248300ff"
                               "000000019fc37f146e");
}

const TopicPartition kPartition{u"demo"_s, PartitionId{1}};

DecodedRecords decoded(const QByteArray &payload, qint64 first = 0)
{
    return decodeRecords(kPartition, payload, 0, Offset{first}).value();
}

QList<QByteArray> values(const DecodedRecords &records)
{
    QList<QByteArray> result;
    for (const Record &record : records.chunk->records())
        result << toByteArray(records.chunk->value(record));
    return result;
}

} // namespace

class tst_RecordCodec : public QObject
{
    Q_OBJECT
private slots:
    void recordsOfARealSegmentAreReadInOrder();
    void payloadMayBeginInsideTheBytes();
    void cutAtEveryByteKeepsWholeRecordsOnly();
    void aCutRecordIsNoChecksumFailure();
    void damagedRecordIsFlaggedAndTheRestIsRead();
    void everyBitFlipOfABodyFlagsExactlyThatRecord();
    void everyBitFlipOfASizeFieldFlagsExactlyThatRecord();
    void behindADamagedSizeNothingIsBelieved();
    void twoDamagedRecordsInARowAreReadOneByOne();
    void hostilePayloadIsDecodedInBoundedTime();
    void flippedChecksumFieldFlagsTheRecord();
    void impossibleSizesEndThePayloadWithTheGoodPrefix_data();
    void impossibleSizesEndThePayloadWithTheGoodPrefix();
    void aHugeSizeFieldCostsNoMemory();
    void strictModeNamesTheFirstFailure();
    void appendedRecordsAreTheBytesARealBrokerStores();
    void storedAndComputedSumsAreToldApart();
};

void tst_RecordCodec::recordsOfARealSegmentAreReadInOrder()
{
    const DecodedRecords records = decoded(threeRecords(), 40);
    QCOMPARE(values(records),
             (QList<QByteArray>{"abc", QByteArray::fromHex("00ff"), QByteArray("n")}));
    QCOMPARE(records.end, PayloadEnd::Clean);
    QCOMPARE(records.consumedBytes, 30);
    const auto &all = records.chunk->records();
    QCOMPARE(all[0].offset, Offset{40});
    QCOMPARE(all[2].offset, Offset{42});
    for (const Record &record : all)
        QCOMPARE(record.flags, RecordFlags(RecordFlag::ChecksumVerified));
    QCOMPARE(toByteArray(records.chunk->frame(all[1])),
             QByteArray::fromHex("000000025c1c248300ff"));
}

void tst_RecordCodec::payloadMayBeginInsideTheBytes()
{
    const QByteArray frame = QByteArray(18, 'x') + threeRecords();
    const auto records = decodeRecords(kPartition, frame, 18, Offset{0});
    QVERIFY(records.ok());
    QCOMPARE(values(records.value()).first(), QByteArray("abc"));
    QCOMPARE(records->consumedBytes, 30);
}

void tst_RecordCodec::cutAtEveryByteKeepsWholeRecordsOnly()
{
    const QByteArray whole = threeRecords(); // records end at 11, 21, 30
    for (qsizetype length = 0; length <= whole.size(); ++length) {
        const DecodedRecords records = decoded(whole.first(length));
        const int expected = length >= 30 ? 3 : length >= 21 ? 2 : length >= 11 ? 1 : 0;
        QCOMPARE(int(records.chunk->records().size()), expected);
        const qsizetype begin = expected == 3 ? 30 : expected == 2 ? 21 : expected == 1 ? 11 : 0;
        const qsizetype left = length - begin;
        QCOMPARE(records.consumedBytes, begin);
        QCOMPARE(records.end, left == 0  ? PayloadEnd::Clean
                              : left < 8 ? PayloadEnd::CutHeader
                                         : PayloadEnd::CutBody);
        const int sizes[] = {3, 2, 1, 0};
        QCOMPARE(records.endRecordBytes, left < 8 ? 0 : sizes[expected]);
    }
}

void tst_RecordCodec::aCutRecordIsNoChecksumFailure()
{
    const auto strict =
        decodeRecords(kPartition, threeRecords().first(20), 0, Offset{0}, DecodeMode::Strict);
    QVERIFY(strict.ok());
    const DecodedRecords &records = strict.value();
    QCOMPARE(records.end, PayloadEnd::CutBody);
    QCOMPARE(records.endRecordBytes, 2);
    QCOMPARE(int(records.chunk->records().size()), 1);
}

void tst_RecordCodec::damagedRecordIsFlaggedAndTheRestIsRead()
{
    QByteArray bytes = threeRecords();
    bytes[20] = char(bytes[20] ^ 0x08); // last byte of the second body
    const DecodedRecords records = decoded(bytes);
    const auto &all = records.chunk->records();
    QCOMPARE(int(all.size()), 3);
    QCOMPARE(all[0].flags, RecordFlags(RecordFlag::ChecksumVerified));
    QCOMPARE(all[1].flags, RecordFlags(RecordFlag::ChecksumMismatch));
    QCOMPARE(all[2].flags, RecordFlags(RecordFlag::ChecksumVerified));
    QCOMPARE(toByteArray(records.chunk->value(all[1])), QByteArray::fromHex("00f7"));
}

void tst_RecordCodec::everyBitFlipOfABodyFlagsExactlyThatRecord()
{
    // A thousand records; every 97th bit of the bodies and checksums in turn.
    QByteArray log;
    for (int i = 0; i < 1000; ++i)
        appendStoredRecord(log, asBytes("record number " + QByteArray::number(i)));
    const DecodedRecords sound = decoded(log);
    const auto bounds = sound.chunk->records();
    QCOMPARE(int(bounds.size()), 1000);
    int flips = 0;
    for (qsizetype bit = 0; bit < log.size() * 8; bit += 97) {
        const qsizetype byte = bit / 8;
        const auto hit = std::find_if(bounds.begin(), bounds.end(), [&](const Record &r) {
            return byte >= qsizetype(r.valueBegin) - 4 &&
                   byte < qsizetype(r.valueBegin + r.valueSize);
        });
        if (hit == bounds.end())
            continue; // a size field: another test
        log[byte] = char(log[byte] ^ (1 << (bit % 8)));
        const DecodedRecords records = decoded(log);
        log[byte] = char(log[byte] ^ (1 << (bit % 8)));
        ++flips;
        QCOMPARE(int(records.chunk->records().size()), 1000);
        for (const Record &record : records.chunk->records()) {
            QCOMPARE(record.flags.testFlag(RecordFlag::ChecksumMismatch),
                     record.offset == hit->offset);
        }
    }
    QVERIFY(flips > 1000);
}

void tst_RecordCodec::everyBitFlipOfASizeFieldFlagsExactlyThatRecord()
{
    QByteArray log;
    QList<QByteArray> expected;
    for (int i = 0; i < 300; ++i) {
        // Sizes of every kind, the smallest included: its flip is a zero.
        expected.append("record " + QByteArray(i % 7 == 0 ? 0 : i, 'x'));
        if (i % 5 == 0)
            expected.last() = "x";
        appendStoredRecord(log, asBytes(expected.last()));
    }
    const DecodedRecords sound = decoded(log);
    const auto bounds = sound.chunk->records();
    for (size_t i = 0; i < bounds.size(); i += 3) {
        for (int bit = 0; bit < 32; ++bit) {
            const qsizetype byte = qsizetype(bounds[i].valueBegin) - 8 + bit / 8;
            log[byte] = char(log[byte] ^ (1 << (bit % 8)));
            const DecodedRecords records = decoded(log);
            log[byte] = char(log[byte] ^ (1 << (bit % 8)));
            QCOMPARE(records.end, PayloadEnd::Clean);
            QCOMPARE(values(records), expected);
            for (const Record &record : records.chunk->records()) {
                const bool hit = record.offset == bounds[i].offset;
                QCOMPARE(record.flags.testFlag(RecordFlag::ChecksumMismatch), hit);
                QCOMPARE(record.flags.testFlag(RecordFlag::SizeDamaged), hit);
            }
        }
    }
}

void tst_RecordCodec::behindADamagedSizeNothingIsBelieved()
{
    // Two bits of the second size flipped, 2 -> 1 (0b10 -> 0b01): beyond repair, and what it leads
    // to is no record. The first two come; the third is left to be fetched again.
    QByteArray bytes = threeRecords();
    bytes[14] = char(1);
    const DecodedRecords records = decoded(bytes, 7);
    const auto &all = records.chunk->records();
    QCOMPARE(all.size(), size_t(2));
    QCOMPARE(all[1].flags, RecordFlags(RecordFlag::ChecksumMismatch));
    QCOMPARE(all[1].offset, Offset{8});
    QCOMPARE(records.end, PayloadEnd::Doubtful);
    QCOMPARE(records.consumedBytes, 20);
}

void tst_RecordCodec::twoDamagedRecordsInARowAreReadOneByOne()
{
    QByteArray bytes = threeRecords();
    bytes[8] = 'x';
    bytes[20] = char(0x7f);
    const DecodedRecords first = decoded(bytes);
    QCOMPARE(first.chunk->records().size(), size_t(1));
    QCOMPARE(first.end, PayloadEnd::Doubtful);
    const DecodedRecords rest = decoded(bytes.sliced(first.consumedBytes), 1);
    QCOMPARE(rest.chunk->records().size(), size_t(2));
    QCOMPARE(rest.chunk->records()[0].flags, RecordFlags(RecordFlag::ChecksumMismatch));
    QCOMPARE(rest.chunk->records()[1].flags, RecordFlags(RecordFlag::ChecksumVerified));
    QCOMPARE(rest.end, PayloadEnd::Clean);
}

void tst_RecordCodec::hostilePayloadIsDecodedInBoundedTime()
{
    // Every position looks like a size with a plausible one behind it, and no checksum is right.
    QByteArray bytes;
    while (bytes.size() < 8'000'000)
        bytes += QByteArray::fromHex("00000001");
    QElapsedTimer timer;
    timer.start();
    const DecodedRecords records = decoded(bytes);
    QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(records.chunk->records().size() <= 1);
}

void tst_RecordCodec::flippedChecksumFieldFlagsTheRecord()
{
    QByteArray bytes = threeRecords();
    bytes[4] = char(bytes[4] ^ 0x01);
    const DecodedRecords records = decoded(bytes);
    QCOMPARE(records.chunk->records()[0].flags, RecordFlags(RecordFlag::ChecksumMismatch));
    QCOMPARE(int(records.chunk->records().size()), 3);
}

void tst_RecordCodec::impossibleSizesEndThePayloadWithTheGoodPrefix_data()
{
    QTest::addColumn<QByteArray>("size");
    QTest::addColumn<qint32>("claimed");
    QTest::newRow("minus one") << QByteArray::fromHex("ffffffff") << -1;
    QTest::newRow("lowest") << QByteArray::fromHex("80000000")
                            << std::numeric_limits<qint32>::min();
}

void tst_RecordCodec::impossibleSizesEndThePayloadWithTheGoodPrefix()
{
    QFETCH(const QByteArray, size);
    QFETCH(const qint32, claimed);
    QByteArray bytes = threeRecords();
    bytes.replace(11, 4, size);
    const DecodedRecords records = decoded(bytes, 7);
    QCOMPARE(values(records), QList<QByteArray>{"abc"});
    QCOMPARE(records.end, PayloadEnd::ImpossibleSize);
    QCOMPARE(records.endRecordBytes, claimed);
    QCOMPARE(records.consumedBytes, 11);

    const auto strict = decodeRecords(kPartition, bytes, 0, Offset{7}, DecodeMode::Strict);
    QVERIFY(!strict.ok());
    QCOMPARE(strict.error().kind, ErrorKind::Protocol);
    QCOMPARE(strict.error().where.offset, std::optional(Offset{8}));
    QCOMPARE(strict.error().where.byte, std::optional<qint64>(11));
}

void tst_RecordCodec::aHugeSizeFieldCostsNoMemory()
{
    const QByteArray bytes = QByteArray::fromHex("7fffffff00000000") + "short";
    const DecodedRecords records = decoded(bytes);
    QCOMPARE(records.end, PayloadEnd::CutBody);
    QCOMPARE(records.endRecordBytes, std::numeric_limits<qint32>::max());
    QVERIFY(records.chunk->isEmpty());
    QVERIFY(records.chunk->heldBytes() < 4096);
}

void tst_RecordCodec::strictModeNamesTheFirstFailure()
{
    QByteArray bytes = threeRecords();
    bytes[19] = char(0x01);
    const auto result = decodeRecords(kPartition, bytes, 0, Offset{100}, DecodeMode::Strict);
    QVERIFY(!result.ok());
    const Error &error = result.error();
    QCOMPARE(error.kind, ErrorKind::Checksum);
    QCOMPARE(error.where.topic, u"demo"_s);
    QCOMPARE(error.where.offset, std::optional(Offset{101}));
    QCOMPARE(error.where.byte, std::optional<qint64>(11));
    QCOMPARE(error.storedCrc, std::optional(0x5C1C2483U));
    QVERIFY(error.computedCrc.has_value() && error.computedCrc != error.storedCrc);
}

void tst_RecordCodec::appendedRecordsAreTheBytesARealBrokerStores()
{
    QByteArray out;
    const QByteArray second = QByteArray::fromHex("00ff");
    appendStoredRecord(out, asBytes(QByteArray("abc")));
    appendStoredRecord(out, asBytes(second));
    appendStoredRecord(out, asBytes(QByteArray("n")));
    QCOMPARE(out.toHex(), threeRecords().toHex());
}

void tst_RecordCodec::storedAndComputedSumsAreToldApart()
{
    QByteArray bytes = threeRecords();
    bytes[8] = 'x'; // "abc" -> "xbc"; stored sum stays that of "abc"
    const DecodedRecords records = decoded(bytes);
    const Record &record = records.chunk->records()[0];
    QCOMPARE(records.chunk->storedCrc(record), std::optional(0x364B3FB7U));
    QVERIFY(records.chunk->computedCrc(record) != 0x364B3FB7U);
}

QTEST_APPLESS_MAIN(tst_RecordCodec)
#include "tst_recordcodec.moc"
