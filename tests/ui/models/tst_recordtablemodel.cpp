#include "core/base/bytewriter.h"
#include "tests/support/chunks.h"
#include "tests/support/modeldump.h"
#include "ui/models/recordcopy.h"
#include "ui/models/recordtablemodel.h"

#include <QAbstractItemModelTester>
#include <QJsonDocument>
#include <QPersistentModelIndex>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;

namespace
{

Capabilities booblik()
{
    Capabilities capabilities;
    capabilities.recordChecksums = true;
    return capabilities;
}

Capabilities kafka()
{
    Capabilities capabilities;
    capabilities.keys = true;
    capabilities.timestamps = true;
    capabilities.headers = true;
    return capabilities;
}

RecordBlock block(qint64 first, int count, qint32 partition = 0)
{
    return RecordBlock::records(chunkOf(partition, first, count));
}

/// One record at `offset` whose last byte was changed after it was stored.
RecordBlock damagedBlock(qint64 offset, QByteArray value = "hello")
{
    QByteArray bytes;
    appendStoredRecord(bytes, asBytes(value));
    bytes.back() = char(bytes.back() ^ 1);
    return RecordBlock::records(
        decodeRecords({u"orders"_s, PartitionId{0}}, bytes, 0, Offset{offset}).value().chunk);
}

QStringList titles(const RecordTableModel &model)
{
    QStringList result;
    for (int section = 0; section < model.columnCount(); ++section)
        result << model.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    return result;
}

} // namespace

class tst_RecordTableModel : public QObject
{
    Q_OBJECT

private:
    QStringList dump(const RecordTableModel &model, RecordColumn column)
    {
        return dumpColumn(model, model.section(column));
    }

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }

    void columnsFollowTheEngine()
    {
        RecordTableModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset(booblik(), false);
        QCOMPARE(titles(model),
                 (QStringList{u"Offset"_s, u"Flags"_s, u"Size"_s, u"CRC-32C"_s, u"Value"_s}));
        Capabilities all = booblik();
        all.keys = true;
        all.timestamps = true;
        model.reset(all, true);
        QCOMPARE(titles(model), (QStringList{u"Partition"_s, u"Offset"_s, u"Flags"_s, u"Time"_s,
                                             u"Time type"_s, u"Key"_s, u"Key size"_s, u"Size"_s,
                                             u"Total size"_s, u"CRC-32C"_s, u"Value"_s}));
        model.reset(kafka(), false);
        QCOMPARE(titles(model), (QStringList{u"Offset"_s, u"Flags"_s, u"Time"_s, u"Time type"_s,
                                             u"Key"_s, u"Headers"_s, u"Key size"_s, u"Size"_s,
                                             u"Total size"_s, u"Batch"_s, u"Value"_s}));
        model.reset({}, false);
        QCOMPARE(model.section(RecordColumn::Crc), -1);
    }

    void nullEmptyAndNoneAreToldApart()
    {
        RecordTableModel model;
        model.reset(kafka(), false);
        model.append({RecordBlock::records(fullChunkOf(
            0, {{{}, {}, {}, {}},
                {"", {}, "", -1},
                {"k", {{"b", "1"}, {"a", {}}, {"b", ""}, {"", "x"}, {"\xff", "y"}}, "v", 0},
                {"k", {}, "v", 1'764'480'248'123, RecordFlag::LogAppendTime}}))});
        QCOMPARE(dump(model, RecordColumn::Key),
                 (QStringList{u"null"_s, u"empty"_s, u"k"_s, u"k"_s}));
        QCOMPARE(dump(model, RecordColumn::Value),
                 (QStringList{u"null"_s, u"empty"_s, u"v"_s, u"v"_s}));
        for (const RecordColumn column : {RecordColumn::Key, RecordColumn::Value}) {
            QVERIFY(model.index(0, model.section(column)).data(NoteRole).toBool());
            QVERIFY(model.index(1, model.section(column)).data(NoteRole).toBool());
            QVERIFY(!model.index(2, model.section(column)).data(NoteRole).toBool());
        }
        // −1 is how Kafka says that there is none: not a moment of 1969.
        QCOMPARE(dump(model, RecordColumn::Time),
                 (QStringList{u"none"_s, u"none"_s, u"1970-01-01 00:00:00.000Z"_s,
                              u"2025-11-30 05:24:08.123Z"_s}));
        QCOMPARE(dump(model, RecordColumn::TimeType),
                 (QStringList{u"none"_s, u"none"_s, u"create"_s, u"log append"_s}));
        const int time = model.section(RecordColumn::Time);
        QVERIFY(model.index(3, time).data(Qt::ToolTipRole).toString().contains(u"1764480248123"_s));
        QVERIFY(model.index(1, time).data(Qt::ToolTipRole).toString().contains(u"−1"_s));
        QCOMPARE(dump(model, RecordColumn::Headers),
                 (QStringList{{}, {}, u"5: b, a, b, (no name), ‹FF›"_s, {}}));
        QCOMPARE(dump(model, RecordColumn::KeySize), (QStringList{{}, u"0"_s, u"1"_s, u"1"_s}));
        QCOMPARE(dump(model, RecordColumn::TotalSize).last(), u"2"_s);
        QCOMPARE(dump(model, RecordColumn::Batch).first(), u"verified"_s);
    }

    void chosenFormatsAreUsedAndWrongLengthsTold()
    {
        RecordTableModel model;
        model.reset(kafka(), false);
        model.append({RecordBlock::records(
            fullChunkOf(0, {{QByteArray("\x00\x00\x01\x00", 4), {}, "text", 0},
                            {"\x01\x02", {}, QByteArray("\xff\xff\xff\xff", 4), 0}}))});
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.setFormats(
            {PayloadCodec::sharedByName(u"int32-be"_s), PayloadCodec::sharedByName(u"int32-le"_s)});
        QCOMPARE(changed.count(), 1);
        const QStringList keys = dump(model, RecordColumn::Key);
        QCOMPARE(keys[0], u"256"_s);
        QVERIFY2(keys[1].contains(u"0102"_s) || keys[1].contains(u"01 02"_s), qPrintable(keys[1]));
        QCOMPARE(dump(model, RecordColumn::Value), (QStringList{u"1954047348"_s, u"-1"_s}));
        const QString tip = shownToolTip(model.index(1, model.section(RecordColumn::Key)));
        QVERIFY2(tip.contains(u"2 bytes"_s), qPrintable(tip));
    }

    void oneBatchAndManyGiveTheSameTable()
    {
        RecordTableModel one;
        QAbstractItemModelTester oneTester(&one,
                                           QAbstractItemModelTester::FailureReportingMode::QtTest);
        one.reset(booblik(), false);
        one.append({block(7, 5)});

        RecordTableModel many;
        QAbstractItemModelTester manyTester(&many,
                                            QAbstractItemModelTester::FailureReportingMode::QtTest);
        many.reset(booblik(), false);
        many.append({block(9, 1)});
        many.append({block(10, 1), block(11, 1)});
        many.prepend({block(7, 1), block(8, 1)});

        QCOMPARE(one.rowCount(), 5);
        for (int section = 0; section < one.columnCount(); ++section)
            QCOMPARE(dumpColumn(many, section), dumpColumn(one, section));
        QCOMPARE(dump(one, RecordColumn::Offset),
                 (QStringList{u"7"_s, u"8"_s, u"9"_s, u"10"_s, u"11"_s}));
        QCOMPARE(dump(one, RecordColumn::Value).first(), u"r-7"_s);
    }

    void severalBlocksAreOneInsertion()
    {
        RecordTableModel model;
        model.reset(booblik(), false);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        model.append({block(0, 3), block(3, 2), block(5, 1)});
        QCOMPARE(inserted.count(), 1);
        QCOMPARE(inserted[0][2].toInt(), 5);
    }

    void checksumIsShownAndBothSumsOnMismatch()
    {
        RecordTableModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset(booblik(), false);
        model.append({RecordBlock::records(chunkOf(0, 0, {"hello"})), damagedBlock(1)});
        // CRC-32C of "hello" and of "helln", by another implementation.
        QCOMPARE(dump(model, RecordColumn::Crc),
                 (QStringList{u"9a71bb4c ✓"_s, u"9a71bb4c ≠ 681a384f"_s}));
        QCOMPARE(dump(model, RecordColumn::Flags), (QStringList{QString(), u"bad checksum"_s}));
        const QModelIndex bad = model.index(1, 0);
        QCOMPARE(bad.data(RowStateRole).toInt(), int(RowState::ChecksumMismatch));
        QVERIFY(bad.data(Qt::ToolTipRole).toString().contains(u"681a384f"_s));
        QCOMPARE(model.flaggedCount(), 1);
    }

    void copiedRowsKeepEveryByte()
    {
        RecordTableModel model;
        model.reset(booblik(), false);
        model.append(
            {RecordBlock::records(chunkOf(0, 0, {"\xef\xbb\xbfmark", "\xff\xfe", "\xc3\xa4"}))});
        const auto json = [&model](int row) {
            const Copied line =
                copiedRows({model.row(row)}, {}, u"orders"_s, booblik(), CopyFormat::Json);
            return QJsonDocument::fromJson(line.text.toUtf8())[u"value"_s];
        };
        QCOMPARE(json(0)[u"data"_s].toString(), u"\ufeffmark"_s);
        QCOMPARE(json(1)[u"encoding"_s].toString(), u"base64"_s);
        QCOMPARE(json(1)[u"data"_s].toString(), u"//4="_s);
        QCOMPARE(json(2)[u"data"_s].toString(), u"ä"_s);
        QCOMPARE(copiedValues({model.row(0)}, CopyFormat::Text).text, u"\ufeffmark"_s);
    }

    void toolTipsObeyNoMarkup()
    {
        RecordTableModel model;
        model.reset(booblik(), false);
        model.append({RecordBlock::records(chunkOf(0, 0, {"<h1>a &amp; b</h1>"}))});
        QCOMPARE(shownToolTip(model.index(0, model.section(RecordColumn::Value))),
                 u"<h1>a &amp; b</h1>"_s);
    }

    void rowsThatAreNoRecordsSayWhy()
    {
        RecordTableModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset(booblik(), true);
        const PartitionId p{2};
        model.append({RecordBlock::note(RowKind::Oversized, p, Offset{10}, Offset{11}, 3'145'728),
                      RecordBlock::note(RowKind::Unreadable, p, Offset{11}, Offset{40}),
                      RecordBlock::note(RowKind::ImpossibleSize, p, Offset{40}, Offset{41}, -7),
                      RecordBlock::note(RowKind::BelowLogStart, p, Offset{41}, Offset{50}),
                      RecordBlock::note(RowKind::Hole, p, Offset{50}, Offset{20'050})});
        QCOMPARE(dump(model, RecordColumn::Flags),
                 (QStringList{u"too large"_s, u"damaged"_s, u"damaged"_s, u"gap"_s, u"gap"_s}));
        const QStringList values = dump(model, RecordColumn::Value);
        QVERIFY2(values[0].contains(u"3.0 MiB"_s), qPrintable(values[0]));
        QVERIFY2(values[2].contains(u"-7"_s), qPrintable(values[2]));
        QVERIFY2(values[4].contains(u"20\u202f049"_s), qPrintable(values[4]));
        QCOMPARE(dump(model, RecordColumn::Size).first(), u"3\u202f145\u202f728"_s);
        QCOMPARE(model.flaggedCount(), 5);
        for (int row = 0; row < 5; ++row)
            QVERIFY(!model.index(row, 0).data(Qt::ToolTipRole).toString().isEmpty());
    }

    void previewIsBoundedAndDrawsControlCharacters()
    {
        RecordTableModel model;
        model.reset(booblik(), false);
        model.append({RecordBlock::records(chunkOf(0, 0, {"a\nb", QByteArray(10'000'000, 'x')}))});
        const QStringList values = dump(model, RecordColumn::Value);
        QCOMPARE(values[0], u"a␊b"_s);
        QVERIFY(values[1].size() <= 257);
        QVERIFY(values[1].endsWith(u'…'));
    }

    void evictionMovesNothingElse()
    {
        RecordTableModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset(booblik(), false);
        for (int i = 0; i < 10; ++i)
            model.append({i == 2 ? damagedBlock(20) : block(i * 10, i == 1 ? 10 : 10)});
        // Block 2 has one record only; what follows still begins at 30.
        const QPersistentModelIndex kept = model.index(model.rowOf(PartitionId{0}, Offset{75}), 0);
        QCOMPARE(model.flaggedCount(), 1);
        model.setByteBudget(model.store().heldBytes() / 2);
        model.evictFront(model.rowOf(PartitionId{0}, Offset{70}));
        QCOMPARE(kept.data().toString(), u"75"_s);
        QVERIFY(!model.store().overBudget());
        QCOMPARE(model.flaggedCount(), 0);
        QCOMPARE(model.rowOf(PartitionId{0}, Offset{75}), kept.row());
        model.setByteBudget(1);
        model.evictBack(kept.row());
        QCOMPARE(dump(model, RecordColumn::Offset).last(), u"79"_s);
        QCOMPARE(kept.data().toString(), u"75"_s);
    }

    void nextAndPreviousFlaggedRows()
    {
        RecordTableModel model;
        model.reset(booblik(), false);
        model.append(
            {block(0, 5), damagedBlock(5), block(6, 3),
             RecordBlock::note(RowKind::Oversized, PartitionId{0}, Offset{9}, Offset{10})});
        QCOMPARE(model.nextFlagged(-1, 1), 5);
        QCOMPARE(model.nextFlagged(5, 1), 9);
        QCOMPARE(model.nextFlagged(9, 1), -1);
        QCOMPARE(model.nextFlagged(9, -1), 5);
        QCOMPARE(model.nextFlagged(5, -1), -1);
    }

    void fetchedWholeReplacesTheRow()
    {
        RecordTableModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset(booblik(), false);
        model.append({block(0, 2), RecordBlock::note(RowKind::Oversized, PartitionId{0}, Offset{2},
                                                     Offset{3}, 5000)});
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        QVERIFY(model.replaceNote(RecordBlock::records(chunkOf(0, 2, {QByteArray(5000, 'y')}))));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.rowState(2), RowState::Normal);
        QCOMPARE(model.flaggedCount(), 0);
        // Not there any more: nothing happens.
        QVERIFY(!model.replaceNote(RecordBlock::records(chunkOf(0, 77, 1))));
        QVERIFY(!model.replaceNote(RecordBlock::records(chunkOf(0, 1, 1))));
    }

    void filterShowsMatchesAndWhatCannotBeLookedInto()
    {
        RecordTableModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset(booblik(), false);
        model.append({block(0, 30), RecordBlock::note(RowKind::Oversized, PartitionId{0},
                                                      Offset{30}, Offset{31})});
        model.setFilter(search::Filter::parse(u"r-2"_s, 0).value());
        QTRY_VERIFY(!model.isFilterScanning());
        const QStringList expected{u"2"_s,  u"20"_s, u"21"_s, u"22"_s, u"23"_s, u"24"_s,
                                   u"25"_s, u"26"_s, u"27"_s, u"28"_s, u"29"_s, u"30"_s};
        QCOMPARE(dump(model, RecordColumn::Offset), expected);
        QCOMPARE(model.rowOf(PartitionId{0}, Offset{20}), 1);
        QCOMPARE(model.rowOf(PartitionId{0}, Offset{10}), -1);

        // What comes later is filtered as it comes.
        model.append({block(199, 3)});
        QTRY_VERIFY(!model.isFilterScanning());
        QCOMPARE(dump(model, RecordColumn::Offset), expected + QStringList({u"200"_s, u"201"_s}));
        model.setFilter({});
        QCOMPARE(model.rowCount(), 34);
    }

    void filteredWindowGrowsAndShrinksAtBothEnds()
    {
        RecordTableModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset(booblik(), false);
        model.append({block(100, 10)});
        model.setFilter(search::Filter::parse(u"5"_s, 0).value());
        QTRY_VERIFY(!model.isFilterScanning());
        model.prepend({block(80, 10), block(90, 10)});
        model.append({block(110, 10)});
        QTRY_VERIFY(!model.isFilterScanning());
        QCOMPARE(dump(model, RecordColumn::Offset),
                 (QStringList{u"85"_s, u"95"_s, u"105"_s, u"115"_s}));
        model.setByteBudget(model.store().heldBytes() / 2);
        model.evictFront(2);
        QCOMPARE(dump(model, RecordColumn::Offset), (QStringList{u"105"_s, u"115"_s}));
        model.setByteBudget(1);
        model.evictBack(0);
        QCOMPARE(dump(model, RecordColumn::Offset), (QStringList{u"105"_s}));
    }

    /// The table's thread must not wait: of records that each cost a pattern all it may cost, few
    /// are looked at in one go, however they come in.
    void costlyRowsAreNotFilteredInOneGo()
    {
        const QByteArrayList costly(1000, QByteArray(3000, 'a'));
        const auto blockAt = [&](qint64 first) {
            return RecordBlock::records(chunkOf(0, first, costly));
        };
        RecordTableModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset(booblik(), false);
        model.append({blockAt(1000)});
        model.setFilter(search::Filter::parse(u"value =~ /(a+)+[bc]/"_s, 0).value());
        QVERIFY(model.isFilterScanning());
        QVERIFY2(model.rowCount() < 200, qPrintable(QString::number(model.rowCount())));
        QTRY_VERIFY_WITH_TIMEOUT(!model.isFilterScanning(), 60'000);
        QCOMPARE(model.rowCount(), 1000); // what cannot be decided is shown
        model.prepend({blockAt(0)});
        QVERIFY(model.isFilterScanning());
        QVERIFY2(model.rowCount() < 1200, qPrintable(QString::number(model.rowCount())));
        model.append({block(2000, 1)});
        QTRY_VERIFY_WITH_TIMEOUT(!model.isFilterScanning(), 60'000);
        QStringList offsets;
        for (int offset = 0; offset < 2000; ++offset)
            offsets << QString::number(offset);
        QCOMPARE(dump(model, RecordColumn::Offset), offsets);
    }

    /// What was prepended is evicted before the filter came to it.
    void prependedRowsMayGoUnfiltered()
    {
        const QByteArrayList costly(1000, QByteArray(3000, 'a'));
        RecordTableModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset(booblik(), false);
        model.append({RecordBlock::records(chunkOf(0, 2000, {"c", "ac", "b"}))});
        model.setFilter(search::Filter::parse(u"value =~ /(a+)+[bc]/"_s, 0).value());
        QTRY_COMPARE(dump(model, RecordColumn::Offset), QStringList{u"2001"_s});
        model.prepend({RecordBlock::records(chunkOf(0, 0, costly)),
                       RecordBlock::records(chunkOf(0, 1000, costly))});
        QVERIFY(model.isFilterScanning());
        const int shown = model.rowCount();
        QVERIFY(shown < 1000);
        model.setByteBudget(1);
        model.evictFront(shown - 1);
        QTRY_VERIFY(!model.isFilterScanning());
        QCOMPARE(dump(model, RecordColumn::Offset), QStringList{u"2001"_s});
        model.append({RecordBlock::records(chunkOf(0, 2003, {"ab"}))});
        QTRY_COMPARE(dump(model, RecordColumn::Offset), (QStringList{u"2001"_s, u"2003"_s}));
    }
};

QTEST_GUILESS_MAIN(tst_RecordTableModel)
#include "tst_recordtablemodel.moc"
