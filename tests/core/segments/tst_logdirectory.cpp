#include "core/segments/logdirectory.h"
#include "core/segments/segmentfile.h"

#include <QDir>
#include <QFile>
#include <QLocale>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

class tst_LogDirectory : public QObject
{
    Q_OBJECT
private slots:
    void directoriesAreNamedAfterTopicAndPartition();
    void segmentNamesAreTwentyAsciiDigits();
    void namesStayAsciiUnderAnArabicLocale();
    void segmentsAreSortedAndOtherFilesIgnored();
    void aNameThatOnlyLooksLikeASegmentIsRefused();
};

void tst_LogDirectory::directoriesAreNamedAfterTopicAndPartition()
{
    QCOMPARE(partitionDirectoryName({u"a-1"_s, PartitionId{0}}), u"a-1-0"_s);
}

void tst_LogDirectory::segmentNamesAreTwentyAsciiDigits()
{
    QCOMPARE(segmentFileName(Offset{5'000'000'000}), u"00000000005000000000.log"_s);
    const SegmentName good = parseSegmentFileName(u"09223372036854775807.log"_s);
    QCOMPARE(good.kind, SegmentNameKind::Segment);
    QCOMPARE(good.base.value, 9'223'372'036'854'775'807);
    // 24 characters, but no offset.
    for (const char16_t *name : {u"0000000000000000000x.log", u"99999999999999999999.log",
                                 u"-0000000000000000001.log", u"٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠.log"}) {
        QCOMPARE(parseSegmentFileName(QString::fromUtf16(name)).kind, SegmentNameKind::Malformed);
    }
    for (const char16_t *name : {u"foo.log", u"123.log", u"00000000000000000000.index",
                                 u"00000000000000000000.log.bak", u".topicscope.lock"}) {
        QCOMPARE(parseSegmentFileName(QString::fromUtf16(name)).kind, SegmentNameKind::Other);
    }
}

void tst_LogDirectory::namesStayAsciiUnderAnArabicLocale()
{
    QLocale::setDefault(QLocale(QLocale::Arabic, QLocale::Egypt));
    QCOMPARE(segmentFileName(Offset{42}), u"00000000000000000042.log"_s);
    QCOMPARE(partitionDirectoryName({u"t"_s, PartitionId{12}}), u"t-12"_s);
    QLocale::setDefault(QLocale::c());
}

void tst_LogDirectory::segmentsAreSortedAndOtherFilesIgnored()
{
    const QTemporaryDir dir;
    for (const QString &name : {u"00000000000000000300.log"_s, u"00000000000000000020.log"_s,
                                u"foo.log"_s, u"notes"_s, u"00000000000000000000.log.bak"_s})
        QVERIFY(QFile(dir.filePath(name)).open(QIODevice::WriteOnly));
    const auto segments = listSegments(dir.path());
    QVERIFY(segments);
    QCOMPARE(segments->size(), 2);
    QCOMPARE(segments->at(0).base.value, 20);
    QCOMPARE(segments->at(1).base.value, 300);
}

void tst_LogDirectory::aNameThatOnlyLooksLikeASegmentIsRefused()
{
    const QTemporaryDir dir;
    const QString name = u"٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠.log"_s;
    QVERIFY(QFile(dir.filePath(name)).open(QIODevice::WriteOnly));
    const auto segments = listSegments(dir.path());
    QVERIFY(!segments);
    QCOMPARE(segments.error().kind, ErrorKind::Io);
    QVERIFY(segments.error().where.endpoint.endsWith(name));
}

QTEST_APPLESS_MAIN(tst_LogDirectory)
#include "tst_logdirectory.moc"
