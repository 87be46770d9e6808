#include "core/kafka/kafkagaps.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;
using Kind = OffsetGap::Kind;

namespace
{

OffsetGap gap(qint64 first, qint64 end, Kind kind)
{
    return {Offset{first}, Offset{end}, kind, {}};
}

FetchResult answer(qint64 from, qint64 to, const std::vector<qint64> &records,
                   std::vector<OffsetGap> gaps)
{
    FetchResult result;
    result.partition = {u"t"_s, PartitionId{0}};
    result.fetchOffset = Offset{from};
    std::vector<Record> index(records.size());
    for (size_t i = 0; i < records.size(); ++i)
        index[i].offset = Offset{records[i]};
    result.chunk = std::make_shared<const RecordChunk>(result.partition, QByteArray(), index);
    result.gaps = std::move(gaps);
    result.nextOffset = Offset{to};
    return result;
}

} // namespace

/// What a committed read left out, held against all that is in the log.
class tst_KafkaGaps : public QObject
{
    Q_OBJECT

private slots:
    void recordsThatAreThereWereAborted()
    {
        // Committed 0; aborted 1, 2 and 5 with markers 3 and 6; compacted 4; committed 7.
        FetchResult committed = answer(0, 8, {0, 7}, {gap(1, 7, Kind::NotCommitted)});
        std::vector<qint64> asked;
        kafka::nameGaps(committed, [&](const FetchRequest &request) -> Result<FetchResult> {
            asked.push_back(request.offset.value);
            if (request.offset.value == 1)
                return answer(1, 5, {1, 2}, {gap(3, 5, Kind::NoRecords)});
            return answer(5, 8, {5, 7}, {gap(6, 7, Kind::NoRecords)});
        });
        QCOMPARE(asked, std::vector<qint64>({1, 5}));
        QCOMPARE(committed.gaps,
                 std::vector({gap(1, 3, Kind::Aborted), gap(3, 5, Kind::NoRecords),
                              gap(5, 6, Kind::Aborted), gap(6, 7, Kind::NoRecords)}));
    }

    void whatCouldNotBeReadStaysUnnamed()
    {
        FetchResult committed = answer(0, 9, {2},
                                       {gap(0, 2, Kind::NotCommitted), gap(3, 6, Kind::Unreadable),
                                        gap(6, 9, Kind::NotCommitted)});
        kafka::nameGaps(committed, [&](const FetchRequest &request) -> Result<FetchResult> {
            if (request.offset.value > 0)
                return Error::make(ErrorKind::Timeout, {});
            return answer(0, 7, {0, 1, 2, 6}, {gap(3, 6, Kind::Unreadable)});
        });
        QCOMPARE(committed.gaps,
                 std::vector({gap(0, 2, Kind::Aborted), gap(3, 6, Kind::Unreadable),
                              gap(6, 7, Kind::Aborted), gap(7, 9, Kind::NotCommitted)}));
    }

    void withoutGapsNothingIsAsked()
    {
        FetchResult committed = answer(0, 2, {0, 1}, {});
        kafka::nameGaps(committed, [&](const FetchRequest &) -> Result<FetchResult> {
            QTest::qFail("asked", __FILE__, __LINE__);
            return Error::make(ErrorKind::Timeout, {});
        });
        QVERIFY(committed.gaps.empty());
    }
};

QTEST_GUILESS_MAIN(tst_KafkaGaps)

#include "tst_kafkagaps.moc"
