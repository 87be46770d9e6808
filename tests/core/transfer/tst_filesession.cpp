#include "core/base/bytewriter.h"
#include "core/sessionfactory.h"
#include "core/transfer/fileindex.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <numeric>

using namespace topicscope;
using namespace topicscope::transfer;
using namespace Qt::StringLiterals;

namespace
{

const QByteArray kHead = R"({"type":"export","format":"topicscope-records","version":1,)"
                         R"("source":"x","capabilities":{"keys":true,"timestamps":true}})"
                         "\n";

QByteArray record(const QByteArray &partition, qint64 offset, const QByteArray &value)
{
    return R"({"type":"record","topic":"t","partition":)" + partition + R"(,"offset":)" +
           QByteArray::number(offset) + R"(,"key":null,"value":{"encoding":"utf-8","data":")" +
           value + "\"}}\n";
}

QByteArray range(const QByteArray &partition, const QByteArray &from, const QByteArray &to)
{
    return R"({"type":"partition","topic":"t","partition":)" + partition + R"(,"from":)" + from +
           R"(,"to":)" + to + R"(,"logStart":0,"highWatermark":)" + to + "}\n";
}

/// "5=a 6=b [7..9 kind reason]": records and gaps in order.
QString rowsOf(const FetchResult &result)
{
    QStringList rows;
    forEachRow(
        result,
        [&](const Record &row) {
            rows += u"%1=%2"_s.arg(row.offset.value)
                        .arg(QString::fromUtf8(toByteArray(result.chunk->value(row))));
            return true;
        },
        [&](const OffsetGap &gap) {
            rows += u"[%1..%2 %3 %4]"_s.arg(gap.first.value)
                        .arg(gap.end.value)
                        .arg(int(gap.kind))
                        .arg(gap.reason);
            return true;
        });
    return rows.join(u' ');
}

} // namespace

class tst_FileSession : public QObject
{
    Q_OBJECT

private slots:
    void recordsNotesAndWhatIsNotThere();
    void partitionsMayTakeTurns();
    void answersAreBounded();
    void offsetsAboveTwoToThe53();
    void aCutFileShowsWhatItLacks();
    void aDamagedFileIsReadUpToThere();
    void whatDoesNotAddUpIsSaid();
    void anIndexIsSharedAsLongAsItIsTheFiles();
    void openingTakesItsTimeAndCanBeStopped();
    void openingTellsHowFarItIs();
    void badFilesAreRefused();
    void aChangedFileIsNoticed();
    void timesLeadToTheFirstRecordAsYoung();
    void nothingIsPublishedOrFollowed();
    void theAddressIsAPath();

private:
    std::unique_ptr<BrokerSession> session(const QByteArray &contents)
    {
        QFile file(path());
        if (!file.open(QIODevice::WriteOnly) || file.write(contents) != contents.size())
            qCritical("no file to read");
        SessionConfig config;
        if (!config.setBroker(u"file:"_s + path()))
            qCritical("no address");
        return defaultSessionFactory()(config);
    }
    QString path() const { return m_dir.filePath(u"x.ndjson"_s); }
    static Result<FetchResult> fetch(BrokerSession &session, int partition, qint64 offset,
                                     qint32 maxBytes = kDefaultMaxBytes)
    {
        return session.fetch({{u"t"_s, PartitionId{partition}}, Offset{offset}, maxBytes}, {});
    }

    QTemporaryDir m_dir;
};

void tst_FileSession::recordsNotesAndWhatIsNotThere()
{
    const auto file = session(
        kHead + range("0", "5", "20") + record("0", 5, "a") + record("0", 6, "b") +
        R"({"type":"gap","topic":"t","partition":0,"offset":7,"end":10,"text":"no records"})"
        "\n" +
        record("0", 12, "c") +
        R"({"type":"too-large","topic":"t","partition":0,"offset":13,"end":14,"text":"9 bytes"})"
        "\n"
        R"({"type":"filtered","topic":"t","partition":0,"offset":14,"end":16,"text":"not chosen"})"
        "\n"
        R"({"type":"partition-end","topic":"t","partition":0,"from":5,"to":16,"records":3,)"
        R"("withoutRecord":8,"complete":true})"
        "\n");
    const auto topics = file->listTopics({});
    QVERIFY2(topics, topics ? "" : qPrintable(describe(topics.error())));
    QCOMPARE(topics->size(), 1);
    QCOMPARE(topics->at(0).partitions[0].logStartOffset, Offset{5});
    QCOMPARE(topics->at(0).partitions[0].highWatermark, Offset{16});
    QVERIFY(file->capabilities().keys);
    QVERIFY(!file->capabilities().headers);
    QVERIFY(!file->capabilities().publish);

    const auto all = fetch(*file, 0, 5);
    QCOMPARE(rowsOf(*all), u"5=a 6=b [7..10 0 ] [10..12 3 not in this file] 12=c "
                           "[13..14 3 too-large: 9 bytes] [14..16 4 not chosen]"_s);
    QCOMPARE(all->nextOffset, Offset{16});
    QCOMPARE(all->end, FetchEnd::More);
    // From inside a gap, too.
    QVERIFY(rowsOf(*fetch(*file, 0, 8)).startsWith(u"[8..10 0 ] [10..12"_s));
    QVERIFY(rowsOf(*fetch(*file, 0, 11)).startsWith(u"[11..12 3 not in this file] 12=c"_s));
    QCOMPARE(fetch(*file, 0, 16)->end, FetchEnd::CaughtUp);
    QCOMPARE(fetch(*file, 0, 4).error().brokerName, u"OFFSET_OUT_OF_RANGE"_s);
    QCOMPARE(fetch(*file, 0, 17).error().brokerName, u"OFFSET_OUT_OF_RANGE"_s);
    QCOMPARE(fetch(*file, 1, 0).error().brokerName, u"UNKNOWN_TOPIC_OR_PARTITION"_s);
}

void tst_FileSession::partitionsMayTakeTurns()
{
    const auto file = session(kHead + record("1", 0, "a") + record("0", 7, "b") +
                              record("1", 1, "c") + record("0", 8, "d"));
    QCOMPARE(rowsOf(*fetch(*file, 1, 0)), u"0=a 1=c"_s);
    QCOMPARE(rowsOf(*fetch(*file, 0, 7)), u"7=b 8=d"_s);
    QCOMPARE(rowsOf(*fetch(*file, 1, 1)), u"1=c"_s);
}

void tst_FileSession::answersAreBounded()
{
    QByteArray contents = kHead;
    for (int i = 0; i < 100; ++i)
        contents += record("0", i, QByteArray(100, 'x'));
    const auto file = session(contents);
    const auto first = fetch(*file, 0, 0, 1'000);
    QCOMPARE(first->chunk->records().size(), size_t(10));
    QCOMPARE(first->nextOffset, Offset{10});
    QCOMPARE(fetch(*file, 0, 99, 1)->chunk->records().size(), size_t(1)); // one at least

    // What notes say counts as well, and says no more than anybody reads.
    contents = kHead;
    for (int i = 0; i < 100; ++i) {
        contents += R"({"type":"missing","topic":"t","partition":0,"offset":)" +
                    QByteArray::number(i) + R"(,"end":)" + QByteArray::number(i + 1) +
                    R"(,"text":")" + QByteArray(10'000, 'x') + "\"}\n";
    }
    const auto notes = fetch(*session(contents), 0, 0, 10'000);
    QCOMPARE(notes->gaps.size(), size_t(3));
    QCOMPARE(notes->gaps.front().reason, u"missing: "_s + QString(2'000, u'x'));
    QCOMPARE(notes->nextOffset, Offset{3});
}

void tst_FileSession::offsetsAboveTwoToThe53()
{
    const auto file =
        session(kHead + record("0", 9007199254740992, "a") + record("0", 9007199254740993, "b"));
    QCOMPARE(rowsOf(*fetch(*file, 0, 9007199254740993)), u"9007199254740993=b"_s);
}

void tst_FileSession::aCutFileShowsWhatItLacks()
{
    const auto file = session(kHead + range("0", "0", "9") + record("0", 0, "a"));
    QCOMPARE(rowsOf(*fetch(*file, 0, 0)), u"0=a [1..9 3 not in this file: the file ends before]"_s);
    QVERIFY(file->remark().startsWith(u"The file is not whole: it has no last line."_s));
}

void tst_FileSession::aDamagedFileIsReadUpToThere()
{
    const auto file = session(kHead + range("0", "0", "9") + record("0", 0, "a") +
                              record("0", 1, "b").chopped(5) + "\n" + record("0", 2, "c"));
    const auto rows = fetch(*file, 0, 0);
    QVERIFY(rows);
    QVERIFY2(
        rowsOf(*rows).startsWith(u"0=a [1..9 3 not in this file: the file is damaged: line 4: "_s),
        qPrintable(rowsOf(*rows)));
    QVERIFY(
        file->remark().startsWith(u"The file is damaged, and read up to there only: line 4: "_s));
}

void tst_FileSession::whatDoesNotAddUpIsSaid()
{
    const QByteArray end = R"({"type":"export-end","records":2,"complete":true})"
                           "\n";
    const auto partitionEnd = [](const char *records, const char *complete) {
        return R"({"type":"partition-end","topic":"t","partition":0,"from":0,"to":2,"records":)" +
               QByteArray(records) + R"(,"withoutRecord":0,"complete":)" + complete + "}\n";
    };
    const QByteArray begin = kHead + range("0", "0", "2") + record("0", 0, "a");
    const auto remark = [&](const QByteArray &contents) {
        const auto file = session(contents);
        const auto opened = file->open({});
        return opened ? file->remark() : opened.error().detail;
    };
    const QByteArray whole = begin + record("0", 1, "b");
    QCOMPARE(remark(whole + partitionEnd("2", "true") + end), QString());
    QCOMPARE(remark(whole + partitionEnd("3", "true") + end),
             u"t/0 has 2 records and 0 offsets without one, and says it has 3 and 0."_s);
    QByteArray often = kHead;
    for (int i = 0; i < 15; ++i)
        often += range("0", "0", "2") + partitionEnd(QByteArray::number(i + 1).constData(), "true");
    const QString most = remark(often + end);
    QVERIFY2(most.contains(u"says it has 10 and 0."_s) && !most.contains(u"says it has 11 and"_s),
             qPrintable(most));
    QVERIFY2(most.endsWith(u"And 6 more like this."_s), qPrintable(most)); // one: the records
    QCOMPARE(remark(begin + partitionEnd("1", "true") + end),
             u"The file has 1 records, and says it has 2."_s);
    QCOMPARE(remark(begin + partitionEnd("1", "false") +
                    R"({"type":"export-end","records":1,"complete":false})"),
             u"The export was not finished: something is missing."_s);
    QVERIFY(remark(kHead + partitionEnd("0", "true") + end)
                .contains(u"line 2: t/0 ends here and has not begun"_s));
    QVERIFY(remark(kHead + end.chopped(10)).startsWith(u"The file is damaged"_s));
}

void tst_FileSession::anIndexIsSharedAsLongAsItIsTheFiles()
{
    const auto first = session(kHead + record("0", 0, "a"));
    const std::shared_ptr<FileIndex> index = FileIndex::of(path());
    QVERIFY(index->build({}));
    QVERIFY(first->open({}));
    QCOMPARE(FileIndex::of(path()).get(), index.get());
    QCOMPARE(FileIndex::of(QFileInfo(path()).path() + u"/./x.ndjson"_s).get(), index.get());
    QFile file(path());
    QVERIFY(file.open(QIODevice::Append));
    file.write(record("0", 1, "b"));
    file.close();
    QVERIFY(FileIndex::of(path()).get() != index.get());
}

void tst_FileSession::openingTakesItsTimeAndCanBeStopped()
{
    const auto file = session(kHead + record("0", 0, "a"));
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(file->open(CallContext(QDeadlineTimer(QDeadlineTimer::Forever), stop.get_token()))
                 .error()
                 .kind,
             ErrorKind::Cancelled);
    QVERIFY(file->open(CallContext(std::chrono::milliseconds(0)))); // the deadline of one answer
    QCOMPARE(rowsOf(*fetch(*file, 0, 0)), u"0=a"_s);
}

void tst_FileSession::openingTellsHowFarItIs()
{
    // The first line and 99 as long as it: after each one more per cent.
    QByteArray contents = kHead;
    for (int i = 0; i < 99; ++i) {
        QByteArray line = record("0", 100 + i, "");
        line.insert(1, QByteArray(kHead.size() - line.size(), ' '));
        contents += line;
    }
    const auto first = session(contents);
    const auto second = session(contents);
    QList<int> told;
    QList<int> toldWaiting;
    std::stop_source stop;
    first->setReading([&](int percent) {
        told << percent;
        if (percent != 42)
            return;
        // Whoever waits for the one who reads is told as well.
        const std::unique_ptr<QThread> waiting(QThread::create([&] {
            second->setReading([&](int now) {
                toldWaiting << now;
                stop.request_stop();
            });
            const auto opened = second->open(
                CallContext(QDeadlineTimer(QDeadlineTimer::Forever), stop.get_token()));
            QCOMPARE(opened.error().kind, ErrorKind::Cancelled);
        }));
        waiting->start();
        waiting->wait();
    });
    QVERIFY(first->open({}));
    QList<int> each(101);
    std::iota(each.begin(), each.end(), 0);
    QCOMPARE(told, each);
    QCOMPARE(toldWaiting, QList<int>{42});
}

void tst_FileSession::badFilesAreRefused()
{
    const auto remark = [&](const QByteArray &contents) {
        const auto file = session(contents);
        return file->open({}) ? file->remark() : QString();
    };
    QVERIFY(remark(kHead + record("0", 5, "a") + record("0", 5, "b"))
                .contains(u"line 3: offset 5 is out of order"_s));
    QVERIFY(remark(kHead + range("0", "7", "9") + record("0", 5, "a"))
                .contains(u"line 3: offset 5 is out of order"_s));
    const auto other = session("a,b,c\n")->open({});
    QVERIFY(!other);
    QVERIFY(other.error().detail.startsWith(u"line 1: "_s));
    SessionConfig config;
    QVERIFY(config.setBroker(u"file:"_s + m_dir.filePath(u"nosuch"_s)));
    const auto missing = defaultSessionFactory()(config)->open({});
    QCOMPARE(missing.error().kind, ErrorKind::Io);
    QVERIFY(missing.error().where.endpoint.endsWith(u"nosuch"_s));
}

void tst_FileSession::aChangedFileIsNoticed()
{
    const auto file = session(kHead + record("0", 5, "a") + record("0", 6, "b"));
    QVERIFY(file->open({}));
    QFile changed(path());
    QVERIFY(changed.open(QIODevice::WriteOnly)); // the same file, now with other records
    changed.write(kHead + record("0", 7, "a") + record("0", 8, "b"));
    changed.close();
    const auto fetched = fetch(*file, 0, 5);
    QVERIFY(!fetched);
    QCOMPARE(fetched.error().kind, ErrorKind::Io);
    QCOMPARE(fetched.error().detail, u"the file has changed since it was opened"_s);
}

void tst_FileSession::timesLeadToTheFirstRecordAsYoung()
{
    const auto at = [](qint64 offset, const QByteArray &timestamp) {
        return record("0", offset, "v")
            .replace(R"("key")", R"("timestamp":)" + timestamp + R"(,"key")");
    };
    // Each at 1000 + its offset, but one far older, one without a time and one that is ahead.
    QByteArray lines = kHead + range("0", "0", "1000") + range("1", "7", "7");
    for (qint64 offset = 0; offset < 1000; ++offset) {
        lines += at(offset, offset == 300   ? "5"
                            : offset == 301 ? "null"
                            : offset == 600 ? "1800"
                                            : QByteArray::number(1000 + offset));
    }
    const auto file = session(lines);
    QVERIFY(file->listTopics({}));
    QVERIFY(file->capabilities().offsetsByTime);
    const TopicPartition log{u"t"_s, PartitionId{0}};
    const TopicPartition none{u"t"_s, PartitionId{9}};
    const auto found = [&](qint64 timeMs) {
        const auto answer = file->offsetsAtTime({log, {u"t"_s, PartitionId{1}}, none}, timeMs, {});
        if (!answer)
            return describe(answer.error());
        return u"%1%2 %3%4 %5"_s.arg(answer->at(0).offset.value)
            .arg(answer->at(0).afterLast ? u" after"_s : QString())
            .arg(answer->at(1).offset.value)
            .arg(answer->at(1).afterLast ? u" after"_s : QString())
            .arg(answer->at(2).error ? answer->at(2).error->brokerName : QString());
    };
    const QString others = u" 7 after UNKNOWN_TOPIC_OR_PARTITION"_s;
    QCOMPARE(found(0), u"0"_s + others);
    QCOMPARE(found(1299), u"299"_s + others);
    QCOMPARE(found(1300), u"302"_s + others);
    QCOMPARE(found(1700), u"600"_s + others);
    QCOMPARE(found(1801), u"801"_s + others);
    QCOMPARE(found(1999), u"999"_s + others);
    QCOMPARE(found(2000), u"1000 after"_s + others);
    QCOMPARE(file->offsetsAtTime({log}, -1, {}).error().kind, ErrorKind::InvalidArgument);
    const auto timeless =
        session(QByteArray(kHead).replace(R"(,"timestamps":true)", "") + record("0", 0, "v"));
    QCOMPARE(timeless->offsetsAtTime({log}, 0, {}).error().kind, ErrorKind::Unsupported);
}

void tst_FileSession::nothingIsPublishedOrFollowed()
{
    const auto file = session(kHead + record("0", 5, "a"));
    PublishRequest request;
    request.topic = u"t"_s;
    request.value = "x";
    QVERIFY(!file->publish(request, {}));
    QCOMPARE(file->follow({}, {}).error().kind, ErrorKind::Unsupported);
}

void tst_FileSession::theAddressIsAPath()
{
    SessionConfig config;
    QVERIFY(config.setBroker(u"file:/tmp/a b:9092,c"_s));
    QCOMPARE(config.engine, Engine::File);
    QCOMPARE(config.host, u"/tmp/a b:9092,c"_s);
    QCOMPARE(config.address(), u"file:/tmp/a b:9092,c"_s);
    QCOMPARE(config.displayName(), u"file:/tmp/a b:9092,c"_s);
}

QTEST_APPLESS_MAIN(tst_FileSession)
#include "tst_filesession.moc"
