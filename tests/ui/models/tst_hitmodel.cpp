#include "tests/support/chunks.h"
#include "tests/support/modeldump.h"
#include "ui/models/hitmodel.h"
#include "ui/models/ledgermodel.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

/// What a search found, in one order whatever comes first, and the account beside it.
class tst_HitModel final : public QObject
{
    Q_OBJECT

private slots:
    void orderIsThatOfPartitionAndOffset()
    {
        HitModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.add(2, chunkOf(2, 7, 1));
        model.add(0, chunkOf(0, 3, 2));
        model.flush();
        const QPersistentModelIndex selected = model.index(1, 1); // what is selected stays so
        model.add(0, chunkOf(0, 10, 1));
        model.add(1, chunkOf(1, 0, 1));
        QCOMPARE(model.rowCount(), 3); // those two wait for more
        QTRY_COMPARE(model.rowCount(), 5);
        QCOMPARE(dumpRows(model), (QStringList{u"0|3|r-3"_s, u"0|4|r-4"_s, u"0|10|r-10"_s,
                                               u"1|0|r-0"_s, u"2|7|r-7"_s}));
        QCOMPARE(selected.data().toString(), u"4"_s);
        QCOMPARE(model.places(),
                 (MarkedOffsets{{PartitionId{0}, {Offset{3}, Offset{4}, Offset{10}}},
                                {PartitionId{1}, {Offset{0}}},
                                {PartitionId{2}, {Offset{7}}}}));
        model.reset({}, {});
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.found(), 0);
    }

    void laterOnesGiveWay()
    {
        HitModel model(nullptr, 5, 1'000'000);
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.add(3, chunkOf(3, 0, 2));
        model.flush();
        model.add(1, chunkOf(1, 0, 4));
        model.flush();
        QCOMPARE(dumpColumn(model, 0), (QStringList{u"1"_s, u"1"_s, u"1"_s, u"1"_s, u"3"_s}));
        model.add(0, chunkOf(0, 5, 3));
        model.add(3, chunkOf(3, 9, 1)); // behind the last that is kept
        model.flush();
        QCOMPARE(dumpRows(model), (QStringList{u"0|5|r-5"_s, u"0|6|r-6"_s, u"0|7|r-7"_s,
                                               u"1|0|r-0"_s, u"1|1|r-1"_s}));
        QCOMPARE(model.found(), 10);
        QVERIFY(model.isCut());
        model.add(0, chunkOf(0, 8, 9)); // more than there is room for
        model.flush();
        QCOMPARE(dumpColumn(model, 1), (QStringList{u"5"_s, u"6"_s, u"7"_s, u"8"_s, u"9"_s}));
    }

    void nextAndPreviousAreCountedFromAnyPlace()
    {
        HitModel model;
        model.add(0, chunkOf(0, 3, 2));
        model.add(2, chunkOf(2, 7, 1));
        model.flush();
        const auto next = [&](qint32 partition, qint64 offset, int step) {
            return model.nextRow({u"orders"_s, PartitionId{partition}}, Offset{offset}, step);
        };
        QCOMPARE(next(0, 0, 1), 0);
        QCOMPARE(next(0, 3, 1), 1);
        QCOMPARE(next(0, 4, 1), 2);
        QCOMPARE(next(1, 0, 1), 2);
        QCOMPARE(next(2, 7, 1), -1);
        QCOMPARE(next(2, 9, -1), 2);
        QCOMPARE(next(2, 7, -1), 1);
        QCOMPARE(next(0, 3, -1), -1);
    }

    void longValuesBeginWhereSomethingWasFound()
    {
        HitModel model;
        const auto filter = search::Filter::parse(u"needle"_s, 0).value();
        model.reset({}, {}, filter);
        const QByteArray umlauts = QByteArray("\xc3\xa4").repeated(300);
        model.add(0, chunkOf(0, 0, {"short needle", umlauts + "a needle, and more"}));
        model.flush();
        const QStringList values = dumpColumn(model, 2);
        QCOMPARE(values[0], u"short needle"_s);
        QCOMPARE(values[1], u"…"_s + QString(11, u'ä') + u"a needle, and more"_s);
    }

    void ledgerSaysWhatWasNotSearched()
    {
        using namespace search;
        LedgerModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        Ledger ledger{PartitionLedger({u"orders"_s, PartitionId{4}}, Offset{0}, Offset{20'000},
                                      Offset{10}, Offset{20'000})};
        model.setLedger(ledger);
        QCOMPARE(dumpRows(model),
                 (QStringList{u"4|0 … 19\u202f999|0|0|"_s, u"|0 … 9|||removed by retention"_s,
                              u"|10 … 19\u202f999|||not reached"_s}));
        // Removed before anybody looked: nothing to be warned of.
        QVERIFY(!model.index(1, 0).data(LedgerModel::TroubleRole).toBool());
        ledger[0].advance(Offset{100}, Coverage::Scanned);
        ledger[0].hits = 3;
        model.setLedger(ledger);
        QCOMPARE(dumpRows(model).constFirst(), u"4|0 … 19\u202f999|90|3|"_s);
        ledger[0].advance(Offset{101}, Coverage::TooLarge, u"5000000 bytes"_s);
        ledger[0].advance(Offset{20'000}, Coverage::Scanned);
        model.setLedger(ledger);
        QCOMPARE(
            dumpRows(model),
            (QStringList{u"4|0 … 19\u202f999|19\u202f989|3|"_s, u"|0 … 9|||removed by retention"_s,
                         u"|100|||too large to be fetched (5000000 bytes)"_s}));
        QVERIFY(model.index(2, 0).data(LedgerModel::TroubleRole).toBool());
    }

    void ledgerSaysWhatACommittedReadLeftOut()
    {
        using namespace search;
        LedgerModel model;
        Ledger ledger{PartitionLedger({u"orders"_s, PartitionId{0}}, Offset{0}, Offset{10},
                                      Offset{0}, Offset{10})};
        ledger[0].advance(Offset{7}, Coverage::Scanned);
        ledger[0].advance(Offset{9}, Coverage::LeftOut, u"aborted transactions"_s);
        ledger[0].advance(Offset{10}, Coverage::Scanned);
        model.setLedger(ledger);
        QCOMPARE(dumpRows(model),
                 (QStringList{u"0|0 … 9|8|0|all searched that is committed"_s,
                              u"|7 … 8|||left out: not committed (aborted transactions)"_s}));
        QVERIFY(!model.index(1, 0).data(LedgerModel::TroubleRole).toBool());
    }
};

QTEST_GUILESS_MAIN(tst_HitModel)
#include "tst_hitmodel.moc"
