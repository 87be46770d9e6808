#include "tests/support/cliprogram.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope::test;
using namespace Qt::StringLiterals;

/// "search", and --filter of fetch and follow.
class tst_CliSearch final : public ServedTest
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(serve(u"orders:3,damage:1,none:2"_s));
        for (int partition = 0; partition < 3; ++partition) {
            for (int i = 0; i < 4; ++i)
                publish(u"orders"_s, R"({"id":)" + QByteArray::number(9007199254740990 + i) + '}',
                        partition);
        }
        publish(u"orders"_s, "needle", 2);
        for (const char *value : {"first", "123456789", "third"})
            publish(u"damage"_s, value);
    }
    void cleanupTestCase() { m_broker.reset(); }

    void findsAndSaysWhatWasSearched();
    void jsonAndLedger();
    void scopeIsChosen();
    void limitIsSaid();
    void whatIsNotCommittedIsSaid();
    void damageIsAFinding();
    void wrongExpressionsAreRefused();
    void filtersFetchAndFollow();
};

void tst_CliSearch::findsAndSaysWhatWasSearched()
{
    const Ran found =
        client({u"search"_s, u"orders"_s, u"needle or json.id == 9007199254740993"_s});
    QCOMPARE(found.code, 0);
    QCOMPARE(found.lines().size(), 5); // the header among them; its neighbour is the same double
    QVERIFY(found.lines()[0].startsWith(u"PARTITION"_s));
    QVERIFY2(found.lines()[3].endsWith(u"{\"id\":9007199254740993}"_s),
             qPrintable(found.lines()[3]));
    QVERIFY(found.lines()[4].startsWith(u"orders/2"_s));
    QVERIFY(found.lines()[4].endsWith(u"needle"_s));
    QVERIFY2(found.err.contains("4 hits: all 13 offsets of 3 partitions were searched."),
             found.err.constData());

    const Ran none = client({u"search"_s, u"orders"_s, u"none"_s, u"no such record"_s});
    QCOMPARE(none.code, 0);
    QVERIFY2(none.err.contains("No hits: all 13 offsets of 5 partitions were searched."),
             none.err.constData());
}

void tst_CliSearch::jsonAndLedger()
{
    const Ran ran = client({u"search"_s, u"orders"_s, u"needle"_s, u"--json"_s, u"--ledger"_s});
    QCOMPARE(ran.code, 0);
    const QList<QJsonObject> objects = ran.objects();
    QCOMPARE(objects.size(), 5);
    QCOMPARE(objects[0][u"type"_s], u"record"_s);
    QCOMPARE(decoded(objects[0][u"value"_s].toObject()), "needle");
    QCOMPARE(objects[3][u"type"_s], u"ledger"_s);
    QCOMPARE(objects[3][u"partition"_s], 2);
    QCOMPARE(objects[3][u"hits"_s], 1);
    const QJsonArray ranges = objects[3][u"ranges"_s].toArray();
    QCOMPARE(ranges.size(), 1);
    QCOMPARE(ranges[0].toObject(),
             (QJsonObject{{u"from"_s, 0}, {u"to"_s, 5}, {u"state"_s, u"scanned"_s}}));
    QCOMPARE(objects[4][u"type"_s], u"outcome"_s);
    QCOMPARE(objects[4][u"complete"_s], true);
    QVERIFY(ran.err.isEmpty());
}

void tst_CliSearch::scopeIsChosen()
{
    const auto hits = [&](const QStringList &more) {
        const Ran ran = client(QStringList{u"search"_s, u"orders"_s, u"id"_s, u"--json"_s} + more);
        QList<std::pair<int, int>> places;
        for (const QJsonObject &object : ran.objects())
            places += {object[u"partition"_s].toInt(), object[u"offset"_s].toInt()};
        return places;
    };
    using Places = QList<std::pair<int, int>>;
    QCOMPARE(hits({u"--newest"_s, u"1"_s}), (Places{{0, 3}, {1, 3}}));
    QCOMPARE(hits({u"--from"_s, u"1"_s, u"--to"_s, u"2"_s}), (Places{{0, 1}, {1, 1}, {2, 1}}));
    QCOMPARE(hits({u"--from"_s, u"-2"_s, u"--partitions"_s, u"1-2"_s}),
             (Places{{1, 2}, {1, 3}, {2, 3}}));
    QCOMPARE(client({u"search"_s, u"orders"_s, u"id"_s, u"--partitions"_s, u"7"_s}).code, 1);
    QCOMPARE(client({u"search"_s, u"orders/1"_s, u"needle"_s}).lines().size(), 1);
    const Ran behind =
        client({u"search"_s, u"orders/0"_s, u"id"_s, u"--to"_s, u"9"_s, u"--ledger"_s});
    QVERIFY2(behind.out.contains("orders/0: offsets 4 to 8: behind the end of the log"),
             behind.out.constData());
    QCOMPARE(behind.code, 0);
    // booblik keeps no times
    QCOMPARE(client({u"search"_s, u"orders"_s, u"id"_s, u"--from"_s, u"@-1h"_s}).code, 1);
}

/// As an export of committed records has it: one of an aborted transaction is a note.
void tst_CliSearch::whatIsNotCommittedIsSaid()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(u"committed.ndjson"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"type":"export","format":"topicscope-records","version":1,"source":"x",)"
               R"("capabilities":{}})"
               "\n"
               R"({"type":"partition","topic":"t","partition":0,"from":0,"to":3,"logStart":0,)"
               R"("highWatermark":3})"
               "\n"
               R"({"type":"record","topic":"t","partition":0,"offset":0,"value":null})"
               "\n"
               R"({"type":"aborted","topic":"t","partition":0,"offset":1,"end":3,"text":"x"})"
               "\n"
               R"({"type":"partition-end","topic":"t","partition":0,"from":0,"to":3,"records":1,)"
               R"("withoutRecord":2,"complete":true})"
               "\n"
               R"({"type":"export-end","records":1,"complete":true})"
               "\n");
    file.close();
    const QStringList search{u"search"_s, u"-b"_s, u"file:"_s + file.fileName(), u"t"_s,
                             u"value is null"_s};
    const Ran ran = cli(search + QStringList{u"--json"_s, u"--ledger"_s});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QList<QJsonObject> objects = ran.objects();
    QCOMPARE(objects.size(), 3);
    QCOMPARE(objects[1][u"ranges"_s].toArray()[1].toObject(),
             (QJsonObject{{u"from"_s, 1},
                          {u"to"_s, 3},
                          {u"state"_s, u"left-out"_s},
                          {u"reason"_s, u"aborted transactions"_s}}));
    QCOMPARE(objects[2][u"searched"_s], 1);
    QCOMPARE(objects[2][u"leftOut"_s], 2);
    QCOMPARE(objects[2][u"notSearched"_s], 0);
    QCOMPARE(objects[2][u"complete"_s], true);
    const Ran plain = cli(search);
    QVERIFY2(
        plain.err.contains("t/0: offsets 1 to 2: left out: not committed (aborted transactions)\n"
                           "topicscope-cli: 1 hit: 1 of 3 offsets of 1 partition were searched. "
                           "Left out as not committed: "
                           "2.\n"),
        plain.err.constData());
}

void tst_CliSearch::limitIsSaid()
{
    const Ran ran = client({u"search"_s, u"orders"_s, u"id"_s, u"--limit"_s, u"2"_s});
    QCOMPARE(ran.code, 0);
    QCOMPARE(ran.lines().size(), 3);
    QVERIFY2(ran.err.contains("the first 2 of 12 hits are printed"), ran.err.constData());
    QVERIFY(ran.err.contains("12 hits: all 13 offsets"));
}

void tst_CliSearch::damageIsAFinding()
{
    // Behind the broker's back: "123456789" becomes "12345678!", and the size of "third" 0: no size
    // a record can have. They stand behind 8 + 5 and 8 + 5 + 8 + 9 bytes.
    QFile segment(m_data.filePath(u"damage-0/00000000000000000000.log"_s));
    QVERIFY(segment.open(QIODevice::ReadWrite));
    QVERIFY(segment.seek(13 + 8 + 8));
    QCOMPARE(segment.write("!"), 1);
    segment.close();
    const Ran damaged = client({u"search"_s, u"damage"_s, u"flag:crc"_s, u"--json"_s});
    QCOMPARE(damaged.code, 4);
    QCOMPARE(damaged.objects().size(), 1);
    QCOMPARE(damaged.objects()[0][u"offset"_s], 1);

    QVERIFY(segment.open(QIODevice::ReadWrite));
    QVERIFY(segment.seek(13 + 17));
    QCOMPARE(segment.write(QByteArray(4, '\0')), 4);
    segment.close();
    const Ran cut = client({u"search"_s, u"damage"_s, u"orders"_s, u"needle"_s});
    QCOMPARE(cut.code, 4);
    QVERIFY(cut.lines().last().endsWith(u"needle"_s)); // hidden by no damage
    QVERIFY2(cut.err.contains("1 hit in what was searched: 15 of 16 offsets of 4 partitions. Not "
                              "searched: 1 (damaged log: "),
             cut.err.constData());
    QVERIFY2(cut.err.contains("damage/0: offset 2: damaged log"), cut.err.constData());
}

void tst_CliSearch::wrongExpressionsAreRefused()
{
    const Ran ran = client({u"search"_s, u"orders"_s, u"size > lots"_s});
    QCOMPARE(ran.code, 2);
    QVERIFY2(ran.err.contains("Column 8: A whole number is expected"), ran.err.constData());
    QCOMPARE(client({u"search"_s, u"orders"_s}).code, 2);
    QCOMPARE(client({u"fetch"_s, u"orders"_s, u"--filter"_s, u"size >"_s}).code, 2);
    QCOMPARE(client({u"search"_s, u"nosuch"_s, u"a"_s}).code, 1);
    QCOMPARE(
        client({u"search"_s, u"orders"_s, u"a"_s, u"--newest"_s, u"5"_s, u"--to"_s, u"3"_s}).code,
        2);
}

void tst_CliSearch::filtersFetchAndFollow()
{
    const Ran fetched =
        client({u"fetch"_s, u"orders"_s, u"--filter"_s, u"json.id >= 9007199254740992"_s,
                u"--count"_s, u"1"_s, u"--json"_s});
    QCOMPARE(fetched.code, 0);
    QCOMPARE(fetched.objects().size(), 3); // one in each partition
    for (const QJsonObject &object : fetched.objects())
        QCOMPARE(object[u"offset"_s], 2);

    const Ran followed = client({u"follow"_s, u"orders/2"_s, u"--from"_s, u"start"_s, u"--filter"_s,
                                 u"value == needle"_s, u"--count"_s, u"1"_s, u"--raw"_s});
    QCOMPARE(followed.code, 0);
    QCOMPARE(followed.out, "needle");
}

QTEST_GUILESS_MAIN(tst_CliSearch)
#include "tst_clisearch.moc"
