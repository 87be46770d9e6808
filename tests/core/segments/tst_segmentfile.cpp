#include "core/base/bytewriter.h"
#include "core/segments/segmentfile.h"
#include "core/segments/tailrepair.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

namespace
{

// "abc", 00 ff and "n" as a running broker stored them.
const QByteArray kThree = QByteArray::fromHex("00000003364b3fb7616263"
                                              "000000025c1c248300ff"
                                              "000000019fc37f146e");
constexpr qint64 kFirstEnd = 11;
constexpr qint64 kSecondEnd = 21;

QByteArray flipped(QByteArray bytes, qsizetype at)
{
    bytes[at] = char(bytes[at] ^ 0x10);
    return bytes;
}

} // namespace

class tst_SegmentFile : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    std::shared_ptr<PosixFile> fileWith(const QByteArray &bytes, qint64 padTo = 0);
    QByteArray contents() { return contentsOf(m_dir.filePath(u"segment"_s)); }
    static QByteArray contentsOf(const QString &path);

private slots:
    void recordsAreCountedToTheEndOfAnExactFile();
    void aPaddedFileEndsAtTheFirstZeroSize();
    void theWalkStopsBeforeTheFirstBadRecord_data();
    void theWalkStopsBeforeTheFirstBadRecord();
    void truncationAtEveryByteKeepsExactlyTheWholeRecords();
    void aHugeSizeFieldInASparseFileIsJustDamage();
    void bodiesLargerThanTheWindowAreVerified();
    void removedBytesAreSavedAndTheFileKeepsItsAge();
    void aTailOfZeroesIsNotTouched();
    void fragmentsBehindZeroesAreRemovedToo();
};

std::shared_ptr<PosixFile> tst_SegmentFile::fileWith(const QByteArray &bytes, qint64 padTo)
{
    const QString path = m_dir.filePath(u"segment"_s);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) ||
        file.write(bytes) != bytes.size() || (padTo > 0 && !file.resize(padTo)))
        qFatal("no test file");
    file.close();
    return PosixFile::open(path, PosixFile::Mode::ReadWrite).value();
}

QByteArray tst_SegmentFile::contentsOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

void tst_SegmentFile::recordsAreCountedToTheEndOfAnExactFile()
{
    QList<qint64> positions;
    const auto walk = walkSegment(*fileWith(kThree), [&](qint64 number, qint64 position, qint32) {
        QCOMPARE(number, positions.size());
        positions << position;
    });
    QVERIFY(walk);
    QCOMPARE(positions, (QList<qint64>{0, kFirstEnd, kSecondEnd}));
    QCOMPARE(walk->recordCount, 3);
    QCOMPARE(walk->endPosition, kThree.size());
    QCOMPARE(walk->stop, SegmentStop::EndOfFile);
}

void tst_SegmentFile::aPaddedFileEndsAtTheFirstZeroSize()
{
    const auto walk = walkSegment(*fileWith(kThree, 65536));
    QVERIFY(walk);
    QCOMPARE(walk->recordCount, 3);
    QCOMPARE(walk->endPosition, kThree.size());
    QCOMPARE(walk->stop, SegmentStop::ZeroSize);
}

void tst_SegmentFile::theWalkStopsBeforeTheFirstBadRecord_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<SegmentStop>("stop");
    QTest::addColumn<qint64>("records");
    const QByteArray first = kThree.first(kFirstEnd);
    QTest::newRow("flipped body") << flipped(kThree, kFirstEnd + 8) << SegmentStop::ChecksumMismatch
                                  << qint64(1);
    QTest::newRow("flipped checksum")
        << flipped(kThree, kFirstEnd + 4) << SegmentStop::ChecksumMismatch << qint64(1);
    QTest::newRow("negative size") << first + QByteArray::fromHex("ffffffd8") + kThree.sliced(15)
                                   << SegmentStop::NegativeSize << qint64(1);
    QTest::newRow("size beyond the end")
        << first + QByteArray::fromHex("00000100") + kThree.sliced(15) << SegmentStop::BeyondEnd
        << qint64(1);
    QTest::newRow("size erased") << first + QByteArray::fromHex("00000000") + kThree.sliced(15)
                                 << SegmentStop::ZeroSize << qint64(1);
    QTest::newRow("cut header") << kThree.first(kSecondEnd + 5) << SegmentStop::CutHeader
                                << qint64(2);
}

void tst_SegmentFile::theWalkStopsBeforeTheFirstBadRecord()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const SegmentStop, stop);
    QFETCH(const qint64, records);
    const auto walk = walkSegment(*fileWith(bytes));
    QVERIFY(walk);
    QCOMPARE(walk->stop, stop);
    QCOMPARE(walk->recordCount, records);
    QCOMPARE(walk->endPosition, records == 1 ? kFirstEnd : kSecondEnd);
}

void tst_SegmentFile::truncationAtEveryByteKeepsExactlyTheWholeRecords()
{
    for (qsizetype length = 0; length <= kThree.size(); ++length) {
        const auto walk = walkSegment(*fileWith(kThree.first(length)));
        QVERIFY(walk);
        const qint64 whole = length >= kThree.size() ? 3
                             : length >= kSecondEnd  ? 2
                             : length >= kFirstEnd   ? 1
                                                     : 0;
        QCOMPARE(walk->recordCount, whole);
    }
}

void tst_SegmentFile::aHugeSizeFieldInASparseFileIsJustDamage()
{
    const QByteArray bytes =
        kThree.first(kFirstEnd) + QByteArray::fromHex("0bebc200") + QByteArray::fromHex("5c1c2483");
    const auto walk = walkSegment(*fileWith(bytes, 512LL << 20));
    QVERIFY(walk);
    QCOMPARE(walk->stop, SegmentStop::ChecksumMismatch);
    QCOMPARE(walk->stopSize, 200'000'000);
    QCOMPARE(walk->recordCount, 1);
}

void tst_SegmentFile::bodiesLargerThanTheWindowAreVerified()
{
    // CRC-32C of 3 MiB of zeroes, from an independent implementation.
    const QByteArray header = QByteArray::fromHex("00300000") + QByteArray::fromHex("dd28f52b");
    const QByteArray body(3 << 20, '\0');
    const auto good = walkSegment(*fileWith(header + body + kThree));
    QVERIFY(good);
    QCOMPARE(good->recordCount, 4);
    const auto bad = walkSegment(*fileWith(header + flipped(body, body.size() - 1) + kThree));
    QVERIFY(bad);
    QCOMPARE(bad->recordCount, 0);
    QCOMPARE(bad->stop, SegmentStop::ChecksumMismatch);
}

void tst_SegmentFile::removedBytesAreSavedAndTheFileKeepsItsAge()
{
    const auto file = fileWith(flipped(kThree, kFirstEnd + 8));
    const timespec old = {1'000'000'000, 123'456'000};
    QVERIFY(file->setModified(old));
    const auto walk = walkSegment(*file);
    QVERIFY(walk);
    const auto removed = removeTail(*file, *walk, m_dir.filePath(u".removed/t-0"_s));
    QVERIFY(removed);
    QCOMPARE(removed->bytes, kThree.size() - kFirstEnd);
    QCOMPARE(contents(), kThree.first(kFirstEnd));
    QCOMPARE(contentsOf(removed->savedPath), flipped(kThree, kFirstEnd + 8).sliced(kFirstEnd));
    const auto modified = file->modified();
    QVERIFY(modified);
    QCOMPARE(modified->tv_sec, old.tv_sec);
    QCOMPARE(modified->tv_nsec, old.tv_nsec);
    const QString saved = QFileInfo(removed->savedPath).fileName();
    QCOMPARE(parseSegmentFileName(saved).kind, SegmentNameKind::Other);

    // A second repair at the same place keeps the first one's bytes.
    const auto again = fileWith(flipped(kThree, kFirstEnd + 8));
    const auto second = removeTail(*again, *walk, m_dir.filePath(u".removed/t-0"_s));
    QVERIFY(second);
    QVERIFY(second->savedPath != removed->savedPath);
}

void tst_SegmentFile::aTailOfZeroesIsNotTouched()
{
    const auto file = fileWith(kThree, 4096);
    const timespec old = {1'000'000'000, 0};
    QVERIFY(file->setModified(old));
    const auto walk = walkSegment(*file);
    QVERIFY(walk);
    const auto removed = removeTail(*file, *walk, m_dir.filePath(u"unused"_s));
    QVERIFY(removed);
    QCOMPARE(removed->bytes, 0);
    QCOMPARE(contents().size(), 4096);
    QCOMPARE(file->modified()->tv_sec, old.tv_sec);
    QVERIFY(!QFileInfo::exists(m_dir.filePath(u"unused"_s)));
}

void tst_SegmentFile::fragmentsBehindZeroesAreRemovedToo()
{
    // What the reference leaves behind a rejected record: its size erased, the rest in place.
    const QByteArray erased =
        kThree.first(kFirstEnd) + QByteArray::fromHex("00000000") + kThree.sliced(15);
    const auto file = fileWith(erased, 3 << 20);
    const auto walk = walkSegment(*file);
    QVERIFY(walk);
    const auto removed = removeTail(*file, *walk, m_dir.filePath(u".removed/t-0"_s));
    QVERIFY(removed);
    QCOMPARE(removed->bytes, erased.size() - kFirstEnd);
    QCOMPARE(contents(), kThree.first(kFirstEnd));
}

QTEST_APPLESS_MAIN(tst_SegmentFile)
#include "tst_segmentfile.moc"
