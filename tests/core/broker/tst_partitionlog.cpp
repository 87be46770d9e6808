#include "core/base/bytewriter.h"
#include "core/broker/partitionlog.h"
#include "tests/support/descriptorlimit.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope;
using namespace topicscope::broker;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{

// Bodies of one letter each, as they are stored: size, CRC-32C from an independent implementation.
const QByteArray kA = QByteArray::fromHex("00000001c1d0433061");
const QByteArray kN = QByteArray::fromHex("000000019fc37f146e");
const QByteArray kAbc = QByteArray::fromHex("00000003364b3fb7616263");

QByteArray flipped(QByteArray bytes, qsizetype at)
{
    bytes[at] = char(bytes[at] ^ 0x10);
    return bytes;
}

/// As in a PRODUCE request.
QByteArray framed(const QByteArray &body)
{
    const char size[] = {0, 0, char(body.size() >> 8), char(body.size())};
    return QByteArray(size, 4) + body;
}

} // namespace

class tst_PartitionLog : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    QStringList m_warnings;
    PartitionLog::Options m_options;

    QString path(qint64 base) const;
    void writeSegment(qint64 base, const QByteArray &bytes, qint64 padTo = 0) const;
    QByteArray segment(qint64 base) const;
    QStringList files() const;
    std::unique_ptr<PartitionLog> open();
    static void append(PartitionLog &log, const QByteArray &body);
    static QByteArray fetched(PartitionLog &log, qint64 offset);

private slots:
    void init();
    void anEmptyDirectoryGetsSegmentZero();
    void appendedRecordsAreTheBytesOnDisk();
    void reopeningKeepsRecordsAndGoesOnBehindThem();
    void droppedRecordsDoNotComeBack();
    void tornTailsAreCutAndSaved();
    void paddedFilesStayAsLongAsTheyAre();
    void presizedFilesHaveTheirCapacityAtOnce();
    void aDamagedMiddleSegmentIsAHoleAndKeepsItsBytes();
    void aMissingMiddleSegmentIsAHole();
    void overlappingSegmentsAreServedFromTheLater();
    void anEmptyLastSegmentIsUsed();
    void aLowerCapacityLosesNothing();
    void recordsRollToANewSegmentWhenTheyDoNotFit();
    void readingNeverCrossesASegment();
    void everyOffsetIsFoundThroughTheSparseIndex();
    void aSizeDamagedWhileRunningIsNoWrongAnswer();
    void retentionBySizeSparesTheActiveSegment();
    void retentionByAgeGoesByTheFilesTimes();
    void retentionBetweenRollsLosesNothing();
    void aDeletedSegmentStaysReadableForItsReader();
    void aFailedRollFailsTheLogButNotReading();
    void aRollWithoutDescriptorsIsTriedAgain();
    void aBarrierWithoutDescriptorsIsTriedAgain();
    void readersOfASegmentShareItsFile();
    void aFileThatIsNoSegmentStopsTheOpening();
};

void tst_PartitionLog::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_warnings.clear();
    m_options = {.capacityBytes = 1024, .indexIntervalBytes = 4096, .presized = false};
    QVERIFY(QDir(m_dir->path()).mkpath(u"t-0"_s));
}

QString tst_PartitionLog::path(qint64 base) const
{
    return m_dir->filePath(u"t-0/%1.log"_s.arg(base, 20, 10, QChar(u'0')));
}

void tst_PartitionLog::writeSegment(qint64 base, const QByteArray &bytes, qint64 padTo) const
{
    QFile file(path(base));
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) ||
        file.write(bytes) != bytes.size() || (padTo > 0 && !file.resize(padTo)))
        qFatal("no test file");
}

QByteArray tst_PartitionLog::segment(qint64 base) const
{
    QFile file(path(base));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

QStringList tst_PartitionLog::files() const
{
    return QDir(m_dir->filePath(u"t-0"_s)).entryList(QDir::Files, QDir::Name);
}

std::unique_ptr<PartitionLog> tst_PartitionLog::open()
{
    auto log = PartitionLog::open({u"t"_s, PartitionId{0}}, m_dir->filePath(u"t-0"_s),
                                  m_dir->filePath(u".removed/t-0"_s), m_options, &m_warnings);
    if (!log)
        qFatal("%s", qPrintable(describe(log.error())));
    return std::move(log).value();
}

void tst_PartitionLog::append(PartitionLog &log, const QByteArray &body)
{
    const auto offset = log.append(asBytes(framed(body)), 1);
    QVERIFY(offset);
    QVERIFY(log.write());
}

/// What a FETCH with a huge max bytes gets; "out of range" where it is.
QByteArray tst_PartitionLog::fetched(PartitionLog &log, qint64 offset)
{
    const auto slice = log.read(Offset{offset}, 1 << 30);
    if (!slice)
        return "i/o error";
    if (!*slice)
        return "out of range";
    QByteArray bytes((*slice)->bytes, '\0');
    if (bytes.isEmpty())
        return bytes;
    const auto into = std::as_writable_bytes(std::span(bytes.data(), size_t(bytes.size())));
    return (*slice)->file->read((*slice)->position, into) ? bytes : "i/o error";
}

void tst_PartitionLog::anEmptyDirectoryGetsSegmentZero()
{
    const auto log = open();
    QCOMPARE(files(), QStringList{u"00000000000000000000.log"_s});
    QCOMPARE(log->startOffset().value, 0);
    QCOMPARE(log->endOffset().value, 0);
    QCOMPARE(fetched(*log, 0), QByteArray());
    QCOMPARE(fetched(*log, 1), "out of range");
}

void tst_PartitionLog::appendedRecordsAreTheBytesOnDisk()
{
    const auto log = open();
    append(*log, "abc");
    append(*log, "n");
    QCOMPARE(segment(0), kAbc + kN);
    QCOMPARE(fetched(*log, 0), kAbc + kN);
    QCOMPARE(fetched(*log, 1), kN);
    QCOMPARE(log->endOffset().value, 2);
}

void tst_PartitionLog::reopeningKeepsRecordsAndGoesOnBehindThem()
{
    append(*open(), "abc");
    const auto log = open();
    append(*log, "n");
    QCOMPARE(segment(0), kAbc + kN);
    QVERIFY(m_warnings.isEmpty());
}

void tst_PartitionLog::droppedRecordsDoNotComeBack()
{
    // Four records of the same size, the second one damaged.
    writeSegment(0, kA + flipped(kN, 8) + kN + kA);
    {
        const auto log = open();
        QCOMPARE(log->endOffset().value, 1);
        append(*log, "a");
    }
    const auto log = open();
    QCOMPARE(log->endOffset().value, 2);
    QCOMPARE(fetched(*log, 0), kA + kA);
}

void tst_PartitionLog::tornTailsAreCutAndSaved()
{
    writeSegment(0, kA + kAbc.first(9));
    const auto log = open();
    QCOMPARE(log->endOffset().value, 1);
    QCOMPARE(segment(0), kA);
    QCOMPARE(m_warnings.size(), 1);
    const QDir saved(m_dir->filePath(u".removed/t-0"_s));
    const QStringList names = saved.entryList(QDir::Files);
    QCOMPARE(names.size(), 1);
    QFile file(saved.filePath(names[0]));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), kAbc.first(9));
}

void tst_PartitionLog::paddedFilesStayAsLongAsTheyAre()
{
    writeSegment(0, kA, 700);
    const auto log = open();
    QCOMPARE(log->endOffset().value, 1);
    append(*log, "n");
    QCOMPARE(segment(0), (kA + kN).leftJustified(700, '\0'));
}

void tst_PartitionLog::presizedFilesHaveTheirCapacityAtOnce()
{
    m_options.presized = true;
    append(*open(), "a");
    QCOMPARE(segment(0), kA.leftJustified(1024, '\0'));
    m_options.presized = false;
    QCOMPARE(fetched(*open(), 0), kA);
}

void tst_PartitionLog::aDamagedMiddleSegmentIsAHoleAndKeepsItsBytes()
{
    const QByteArray damaged = kA + flipped(kN, 8) + kN;
    writeSegment(0, kA + kA);
    writeSegment(2, damaged);
    writeSegment(5, kN);
    const auto log = open();
    QCOMPARE(log->startOffset().value, 0);
    QCOMPARE(log->endOffset().value, 6);
    QCOMPARE(fetched(*log, 2), kA);
    QCOMPARE(fetched(*log, 3), "out of range");
    QCOMPARE(fetched(*log, 4), "out of range");
    QCOMPARE(fetched(*log, 5), kN);
    QCOMPARE(m_warnings.size(), 1);
    QVERIFY(m_warnings[0].contains(u"offsets 3 to 4"_s));
    QCOMPARE(segment(2), damaged);
}

void tst_PartitionLog::aMissingMiddleSegmentIsAHole()
{
    writeSegment(0, kA);
    writeSegment(5, kN);
    const auto log = open();
    QCOMPARE(fetched(*log, 1), "out of range");
    QCOMPARE(fetched(*log, 5), kN);
    QVERIFY(m_warnings.value(0).contains(u"hole: offsets 1 to 4"_s));
}

void tst_PartitionLog::overlappingSegmentsAreServedFromTheLater()
{
    writeSegment(0, kA + kA + kA);
    writeSegment(1, kN + kN);
    const auto log = open();
    QCOMPARE(fetched(*log, 1), kN + kN);
    QCOMPARE(log->endOffset().value, 3);
    QVERIFY(m_warnings.value(0).contains(u"overlap: offsets 1 to 2"_s));
}

void tst_PartitionLog::anEmptyLastSegmentIsUsed()
{
    writeSegment(0, kA);
    writeSegment(1, {});
    const auto log = open();
    append(*log, "n");
    QCOMPARE(segment(1), kN);
    QVERIFY(m_warnings.isEmpty());
}

void tst_PartitionLog::aLowerCapacityLosesNothing()
{
    writeSegment(0, kA + kN + kAbc);
    m_options.capacityBytes = 12;
    const auto log = open();
    QCOMPARE(fetched(*log, 0), kA + kN + kAbc);
    append(*log, "n");
    QCOMPARE(segment(3), kN);
}

void tst_PartitionLog::recordsRollToANewSegmentWhenTheyDoNotFit()
{
    const auto log = open();
    // 508 + 8 + 492 + 8 = 1016 of 1024 bytes; a record of 9 does not fit any more, 1016 behind it
    // neither, but 8 + 8 behind 1008 fit exactly.
    for (const int size : {508, 492, 1, 1008, 1000, 8})
        append(*log, QByteArray(size, 'x'));
    QCOMPARE(log->segmentCount(), 4);
    QList<qint64> sizes;
    for (const qint64 base : {0, 2, 3, 4})
        sizes << segment(base).size();
    QCOMPARE(sizes, (QList<qint64>{1016, 9, 1016, 1024}));
}

void tst_PartitionLog::readingNeverCrossesASegment()
{
    const auto log = open();
    for (int i = 0; i < 3; ++i)
        append(*log, QByteArray(500, char('a' + i)));
    QCOMPARE(fetched(*log, 0).size(), 2 * 508);
    QCOMPARE(fetched(*log, 2).size(), 508);
    const auto slice = log->read(Offset{1}, 100);
    QVERIFY(slice && *slice);
    QCOMPARE((*slice)->bytes, 100);
    QCOMPARE((*slice)->bytesToEndOfLog, 2 * 508);
}

void tst_PartitionLog::everyOffsetIsFoundThroughTheSparseIndex()
{
    m_options.capacityBytes = 1 << 20;
    m_options.indexIntervalBytes = 64;
    for (int round = 0; round < 2; ++round) { // once as written, once as recovered
        const auto log = open();
        for (int i = 0; i < 300 && round == 0; ++i)
            append(*log, QByteArray(1 + (i * 37) % 90, char('A' + i % 26)));
        for (int i = 0; i < 300; ++i) {
            const QByteArray record = fetched(*log, i);
            QCOMPARE(record.sliced(8, 1 + (i * 37) % 90),
                     QByteArray(1 + (i * 37) % 90, char('A' + i % 26)));
        }
    }
    // Records larger than what is scanned at once.
    const auto log = open();
    for (int i = 0; i < 5; ++i)
        append(*log, QByteArray(20'000, char('a' + i)));
    QCOMPARE(fetched(*log, 303).at(8), 'd');
}

void tst_PartitionLog::aSizeDamagedWhileRunningIsNoWrongAnswer()
{
    const auto log = open();
    for (int i = 0; i < 4; ++i)
        append(*log, "a");
    QFile file(path(0));
    QVERIFY(file.open(QIODevice::ReadWrite));
    file.seek(9);
    file.write(QByteArray::fromHex("00000000"));
    file.close();
    QCOMPARE(fetched(*log, 1).size(), 27); // sent as it is
    QCOMPARE(fetched(*log, 2), "out of range");
}

void tst_PartitionLog::retentionBySizeSparesTheActiveSegment()
{
    m_options.capacityBytes = 20;
    const auto log = open();
    for (int i = 0; i < 9; ++i)
        append(*log, "a"); // two a segment: 18 18 18 18 9 bytes
    QCOMPARE(log->applyRetention(45, {}, QDateTime::currentDateTimeUtc()), 2);
    QCOMPARE(log->startOffset().value, 4);
    QCOMPARE(fetched(*log, 3), "out of range");
    QCOMPARE(log->applyRetention(-5, {}, QDateTime::currentDateTimeUtc()), 2);
    QCOMPARE(log->startOffset().value, 8);
    QCOMPARE(log->endOffset().value, 9);
    QCOMPARE(files(), QStringList{u"00000000000000000008.log"_s});
}

void tst_PartitionLog::retentionByAgeGoesByTheFilesTimes()
{
    using namespace std::chrono_literals;
    writeSegment(0, kA);
    writeSegment(1, kA);
    writeSegment(2, kA);
    const QDateTime old = QDateTime::currentDateTimeUtc().addSecs(-100'000);
    for (const qint64 base : {0, 1, 2}) {
        QFile file(path(base));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.setFileTime(old, QFile::FileModificationTime));
    }
    const auto log = open(); // opening must not make them young
    QCOMPARE(log->applyRetention({}, 3600s, QDateTime::currentDateTimeUtc()), 2);
    QCOMPARE(log->startOffset().value, 2);
}

void tst_PartitionLog::retentionBetweenRollsLosesNothing()
{
    m_options.capacityBytes = 64;
    const auto log = open();
    for (int i = 0; i < 500; ++i) {
        const auto offset = log->append(asBytes(framed("0123456789")), 1);
        QVERIFY(offset);
        QCOMPARE(offset->value, i);
        if (i % 3 == 0) {
            QVERIFY(log->write());
            log->applyRetention(100, {}, QDateTime::currentDateTimeUtc());
        }
    }
    QVERIFY(log->write());
    QCOMPARE(log->endOffset().value, 500);
    QCOMPARE(fetched(*log, 499).sliced(8), "0123456789");
    QVERIFY(log->sync());
}

void tst_PartitionLog::aDeletedSegmentStaysReadableForItsReader()
{
    m_options.capacityBytes = 9;
    const auto log = open();
    append(*log, "a");
    append(*log, "n");
    const auto slice = log->read(Offset{0}, 100);
    QVERIFY(slice && *slice);
    QCOMPARE(log->applyRetention(1, {}, QDateTime::currentDateTimeUtc()), 1);
    std::byte bytes[9];
    QCOMPARE((*slice)->file->read((*slice)->position, bytes).value(), 9);
    QCOMPARE(toByteArray(bytes), kA);
}

void tst_PartitionLog::aFailedRollFailsTheLogButNotReading()
{
    m_options.capacityBytes = 9;
    const auto log = open();
    append(*log, "a");
    QVERIFY(QDir().mkdir(path(1)));
    QVERIFY(!log->append(asBytes(framed("n")), 1));
    QVERIFY(log->hasFailed());
    QVERIFY(!log->append(asBytes(framed("n")), 1));
    QCOMPARE(log->endOffset().value, 1);
    QCOMPARE(fetched(*log, 0), kA);
}

void tst_PartitionLog::aRollWithoutDescriptorsIsTriedAgain()
{
    m_options.capacityBytes = 18;
    const auto log = open();
    append(*log, "a");
    {
        const NoDescriptorsLeft limited;
        const auto refused = log->append(asBytes(framed("a") + framed("n")), 2);
        QVERIFY(!refused);
        QVERIFY(refused.error().retriable);
        QVERIFY(!log->hasFailed());
    }
    // A batch is not atomic: what stood before the roll is in the log.
    QCOMPARE(log->endOffset().value, 2);
    append(*log, "n");
    QCOMPARE(segment(0), kA + kA);
    QCOMPARE(segment(2), kN);
    QCOMPARE(log->endOffset().value, 3);
}

void tst_PartitionLog::aBarrierWithoutDescriptorsIsTriedAgain()
{
    m_options.capacityBytes = 9;
    const auto log = open();
    append(*log, "a");
    append(*log, "n");
    {
        const NoDescriptorsLeft limited;
        QVERIFY(!log->sync());
    }
    QCOMPARE(log->unsyncedRecords(), 2);
    QVERIFY(log->sync());
    QCOMPARE(log->unsyncedRecords(), 0);
}

void tst_PartitionLog::readersOfASegmentShareItsFile()
{
    m_options.capacityBytes = 9;
    const auto log = open();
    for (const char *body : {"a", "n", "a"})
        append(*log, body);
    const auto first = log->read(Offset{0}, 100);
    const auto second = log->read(Offset{1}, 100);
    QVERIFY(first && *first && second && *second);
    const NoDescriptorsLeft limited;
    QCOMPARE(fetched(*log, 0), kA);
    QCOMPARE(fetched(*log, 1), kN);
    QCOMPARE(fetched(*log, 2), kA);
}

void tst_PartitionLog::aFileThatIsNoSegmentStopsTheOpening()
{
    writeSegment(0, kA);
    QVERIFY(QDir().mkdir(path(1)));
    const auto log = PartitionLog::open({u"t"_s, PartitionId{0}}, m_dir->filePath(u"t-0"_s),
                                        m_dir->filePath(u".removed"_s), m_options, &m_warnings);
    QVERIFY(!log);
    QCOMPARE(log.error().where.topic, u"t"_s);
}

QTEST_APPLESS_MAIN(tst_PartitionLog)
#include "tst_partitionlog.moc"
