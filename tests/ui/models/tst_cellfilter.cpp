#include "core/search/filter.h"
#include "tests/support/chunks.h"
#include "ui/models/cellfilter.h"

#include <QTest>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

/// Filters made of what stands in a cell: as a person would write them, and finding the record they
/// come from.
class tst_CellFilter final : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatTheCellHas_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("expected"); ///< empty: there is none
        const auto add = [](const char *name, int row, RecordColumn column,
                            const QString &expected) {
            QTest::newRow(name) << row << int(column) << expected;
        };
        add("text key", 0, RecordColumn::Key, u"key == \"order \\\"42\\\"\""_s);
        add("binary value", 0, RecordColumn::Value, u"value == x\"00ff\""_s);
        add("header", 0, RecordColumn::Headers, u"header[\"x y\"] == \"é\""_s);
        add("time", 0, RecordColumn::Time, u"time == 2026-11-30T16:00:00.250Z"_s);
        add("size", 0, RecordColumn::Size, u"size == 2"_s);
        add("offset", 0, RecordColumn::Offset, u"offset == 9007199254740993"_s);
        add("partition", 0, RecordColumn::Partition, u"partition == 0"_s);
        add("sound", 0, RecordColumn::Flags, u"not flag:crc"_s);
        add("whose time", 0, RecordColumn::TimeType, u"not flag:log-append"_s);
        add("null key", 1, RecordColumn::Key, u"key is null"_s);
        add("null value", 1, RecordColumn::Value, u"value is null"_s);
        add("tombstone", 1, RecordColumn::Flags, u"flag:tombstone"_s);
        add("no header", 1, RecordColumn::Headers, u"not flag:headers"_s);
        add("no time", 1, RecordColumn::Time, u"time is null"_s);
        add("no time's type", 1, RecordColumn::TimeType, u"time is null"_s);
        add("empty value", 2, RecordColumn::Value, u"value == \"\""_s);
        add("time of -1", 2, RecordColumn::Time, u"time is null"_s);
        add("null header twice", 2, RecordColumn::Headers,
            u"header[\"a\"] is null and header[\"a\"] == \"b\""_s);
        add("damaged", 3, RecordColumn::Flags, u"flag:crc"_s);
        add("log append", 3, RecordColumn::TimeType, u"flag:log-append"_s);
        add("too long", 3, RecordColumn::Value, {});
        add("no word for it", 0, RecordColumn::KeySize, {});
    }

    void saysWhatTheCellHas()
    {
        QFETCH(int, row);
        QFETCH(int, column);
        QFETCH(QString, expected);
        const RecordChunkPtr chunk = fullChunkOf(
            9'007'199'254'740'993,
            {{"order \"42\"", {{"x y", "\xc3\xa9"}}, QByteArray("\0\xff", 2), 1'796'054'400'250},
             {std::nullopt, {}, std::nullopt, std::nullopt},
             {"", {{"a", std::nullopt}, {"a", "b"}}, "", -1},
             {"long",
              {},
              QByteArray(20'000, 'x'),
              5,
              RecordFlags(RecordFlag::ChecksumMismatch) | RecordFlag::LogAppendTime}});
        const RecordBlock block = RecordBlock::records(chunk);
        const RowRef ref{&block, &chunk->records()[size_t(row)], row};
        const auto made = cellFilter(ref, RecordColumn(column));
        QCOMPARE(made.value_or(QString()), expected);
        if (!made)
            return;
        const auto filter = search::Filter::parse(*made, 0);
        QVERIFY(filter.ok());
        QCOMPARE(filter->matches(*chunk, *ref.record), search::Verdict::Yes);
        const auto out = search::Filter::parse(search::filterOut(*made), 0);
        QCOMPARE(out->matches(*chunk, *ref.record), search::Verdict::No);
    }

    void rowsThatAreNoRecordsHaveNone()
    {
        const RecordBlock gap =
            RecordBlock::note(RowKind::Oversized, PartitionId{0}, Offset{3}, Offset{4});
        QVERIFY(!cellFilter({&gap}, RecordColumn::Offset));
    }

    void twoAreJoinedWithoutChangingWhatTheySay()
    {
        QCOMPARE(search::filterBoth(u"a or b"_s, u"not (c)"_s), u"(a or b) and not (c)"_s);
        QCOMPARE(search::filterBoth(u"(key == a)or(key == b)"_s, u"size == 1"_s),
                 u"((key == a)or(key == b)) and size == 1"_s);
        QCOMPARE(search::filterBoth(u"key == \"x\""_s, u"size > 5"_s),
                 u"key == \"x\" and size > 5"_s);
    }
};

QTEST_APPLESS_MAIN(tst_CellFilter)
#include "tst_cellfilter.moc"
