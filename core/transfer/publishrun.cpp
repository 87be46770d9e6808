#include "core/transfer/publishrun.h"

#include "core/base/bytewriter.h"
#include "core/hash/crc32c.h"
#include "core/session/recordsize.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QThread>

#include <algorithm>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kProgressEveryMs = 100;

Error invalid(const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, why);
}

/// Of all that a record says, each part with its length in front.
quint32 crcOf(const RecordContent &content)
{
    QByteArray bytes;
    const auto add = [&bytes](const std::optional<QByteArray> &part) {
        bytes += part ? QByteArray::number(part->size()) + ':' + *part : QByteArray("-:");
    };
    add(content.key);
    add(content.value);
    for (const RecordHeader &header : content.headers) {
        add(header.name);
        add(header.value);
    }
    return crc32c(asBytes(bytes));
}

/// Refused for what it is; the next one may well be taken.
bool isAboutTheRecord(const Error &error)
{
    static const QStringList names{u"MESSAGE_TOO_LARGE"_s, u"MSG_SIZE_TOO_LARGE"_s,
                                   u"RECORD_LIST_TOO_LARGE"_s, u"INVALID_RECORD"_s,
                                   u"INVALID_TIMESTAMP"_s};
    return error.kind == ErrorKind::Broker && names.contains(error.brokerName);
}

bool hasPartition(const TopicInfo &topic, PartitionId partition)
{
    return std::ranges::find(topic.partitions, partition, &PartitionInfo::id) !=
           topic.partitions.end();
}

/// Why this engine or this topic cannot take it; empty: it can.
QString refusalOf(const PublishRequest &request, const PublishTarget &target)
{
    const Capabilities &can = target.capabilities;
    if (!request.value && !can.nullValues)
        return u"a null value is not stored there"_s;
    if (request.value && request.value->isEmpty() && !can.emptyValues)
        return u"an empty value is not stored there"_s;
    if (can.maxRecordBytes > 0 && request.value && request.value->size() > can.maxRecordBytes)
        return u"%1 bytes, at most %2 are taken there"_s.arg(request.value->size())
            .arg(can.maxRecordBytes);
    if (request.timestampMs == 0)
        return u"the time 0 cannot be sent: the library takes it for now"_s;
    if (!target.rules)
        return {};
    if (target.rules->compacted && !request.key)
        return u"the topic is compacted: it takes no record without a key"_s;
    const qint64 bytes = recordBytes(request.key ? request.key->size() : 0,
                                     request.value ? request.value->size() : 0, request.headers);
    if (request.compression == Compression::None && !fits(bytes, *target.rules))
        return u"%1 bytes, the topic takes at most %2"_s.arg(bytes + target.rules->recordOverhead)
            .arg(*target.rules->maxRecordBytes);
    return {};
}

/// Sends at a rate.
class Pace
{
public:
    explicit Pace(double perSecond)
        : m_perSecond(perSecond)
    {
        m_clock.start();
    }

    /// False when stopped meanwhile.
    bool wait(const std::stop_token &stop)
    {
        if (m_perSecond > 0) {
            // What a slow answer cost is not made up for: nobody is to get more at once.
            m_dueMs = std::max(m_dueMs, double(m_clock.elapsed()));
            for (double left = m_dueMs - double(m_clock.elapsed());
                 left > 0 && !stop.stop_requested(); left = m_dueMs - double(m_clock.elapsed()))
                QThread::msleep(ulong(std::clamp(left, 1.0, double(kWaitSlice.count()))));
            m_dueMs += 1000 / m_perSecond;
        }
        return !stop.stop_requested();
    }

private:
    double m_perSecond;
    double m_dueMs = 0; ///< of the next one
    QElapsedTimer m_clock;
};

/// One run over a source.
class Run
{
public:
    Run(BrokerSession &session, const PublishPlan &plan, const PublishTarget &target,
        OutcomeFile &outcomes, const std::function<void(const PublishProgress &)> &progress,
        const std::stop_token &stop)
        : m_session(session)
        , m_plan(plan)
        , m_target(target)
        , m_outcomes(outcomes)
        , m_progress(progress)
        , m_stop(stop)
        , m_pace(plan.perSecond)
    {
        m_summary.before = outcomes.next() - 1;
        m_clock.start();
    }

    PublishSummary run(RecordSource &source)
    {
        while (!m_summary.error) {
            if (m_stop.stop_requested()) {
                m_summary.error = Error::make(ErrorKind::Cancelled, {});
                break;
            }
            const auto record = source.next();
            if (!record) {
                m_summary.error = record.error();
            } else if (!*record) {
                m_summary.finished = true;
                break;
            } else {
                take(**record);
                tell((*record)->number);
            }
        }
        m_summary.next = m_outcomes.next();
        const auto stopped = m_outcomes.stop(m_summary.finished ? u"the source has ended"_s
                                                                : describe(*m_summary.error));
        if (!stopped && !m_summary.error)
            m_summary.error = stopped.error();
        m_summary.finished = m_summary.finished && !m_summary.error;
        return m_summary;
    }

private:
    void take(const SourceRecord &record)
    {
        const quint32 crc = crcOf(record.content);
        if (record.number < m_outcomes.next()) {
            if (m_outcomes.contentCrc(record.number) != crc)
                m_summary.error = invalid(
                    u"record %1 is not the one that was published: the file is another one, or "
                    "its columns are read otherwise"_s.arg(record.number));
            return;
        }
        Outcome outcome{record.number, Outcome::Kind::Unknown, crc};
        if (record.number <= m_outcomes.inDoubt()) {
            outcome.text = u"the program ended before its outcome was known"_s;
            keep(outcome);
            return;
        }
        const PlannedRecord planned = planRecord(record, m_plan, m_target);
        if (!planned.refusal.isEmpty()) {
            outcome.kind = Outcome::Kind::Refused;
            outcome.text = planned.refusal;
            keep(outcome);
            return;
        }
        if (!m_pace.wait(m_stop)) {
            m_summary.error = Error::make(ErrorKind::Cancelled, {});
            return;
        }
        if (const auto reserved = m_outcomes.reserve(record.number); !reserved) {
            m_summary.error = reserved.error();
            return;
        }
        send(planned.request, outcome);
    }

    void send(const PublishRequest &request, Outcome outcome)
    {
        auto result = publish(request);
        if (!result && result.error().kind == ErrorKind::Network)
            result = publish(request); // nothing was sent: an idle connection may have been closed
        if (result) {
            outcome.kind = Outcome::Kind::Published;
            outcome.where = result->partition;
            outcome.offset = result->offset;
            keep(outcome);
            return;
        }
        const Error &error = result.error();
        if (error.kind == ErrorKind::OutcomeUnknown) {
            outcome.where = {request.topic, error.where.partition.value_or(PartitionId{-1})};
            if (!error.where.partition)
                outcome.where.reset();
            outcome.offset = error.where.offset;
            outcome.text = describe(error);
            m_summary.error = error;
            keep(outcome);
        } else if (isAboutTheRecord(error)) {
            outcome.kind = Outcome::Kind::Refused;
            outcome.text = describe(error);
            keep(outcome);
        } else {
            m_summary.error = error; // nothing was stored: it is the first of the next run
        }
    }

    /// A stop waits for the answer: giving it up would make an outcome unknown that is about to be
    /// known.
    Result<PublishResult> publish(const PublishRequest &request)
    {
        return m_session.publish(request, CallContext(m_session.config().publishTimeout));
    }

    void keep(const Outcome &outcome)
    {
        const auto written = m_outcomes.write(outcome);
        if (!written)
            m_summary.error = written.error(); // on the disk it is reserved: unknown the next time
        switch (outcome.kind) {
        case Outcome::Kind::Published:
            ++m_summary.published;
            break;
        case Outcome::Kind::Refused:
            ++m_summary.refused;
            break;
        case Outcome::Kind::Unknown:
            ++m_summary.unknown;
            break;
        }
    }

    void tell(qint64 record)
    {
        const qint64 elapsed = m_clock.elapsed();
        if (elapsed - m_toldAt < kProgressEveryMs)
            return;
        m_toldAt = elapsed;
        m_progress(
            {record, m_summary.published, m_summary.refused, std::chrono::milliseconds(elapsed)});
    }

    BrokerSession &m_session;
    const PublishPlan &m_plan;
    const PublishTarget &m_target;
    OutcomeFile &m_outcomes;
    const std::function<void(const PublishProgress &)> &m_progress;
    const std::stop_token &m_stop;
    Pace m_pace;
    QElapsedTimer m_clock;
    qint64 m_toldAt = -kProgressEveryMs;
    PublishSummary m_summary;
};

} // namespace

QString mappingName(const PublishPlan &plan)
{
    switch (plan.mapping) {
    case PublishPlan::Mapping::ByKey:
        return u"key"_s;
    case PublishPlan::Mapping::Keep:
        return u"keep"_s;
    case PublishPlan::Mapping::Fixed:
        break;
    }
    return QString::number(plan.fixed.value);
}

OutcomeFile::Run runOf(const QString &sourcePath, SourceFormat format, const SessionConfig &target,
                       const PublishPlan &plan)
{
    OutcomeFile::Run run{{u"source"_s, QFileInfo(sourcePath).absoluteFilePath()},
                         {u"format"_s, sourceFormatName(format)},
                         {u"target"_s, target.address()},
                         {u"topic"_s, plan.topic},
                         {u"partitions"_s, mappingName(plan)}};
    if (plan.mapping == PublishPlan::Mapping::ByKey)
        run.insert(u"partitioner"_s, Partitioner(plan.partitioner).name());
    return run;
}

Result<PublishTarget> findTarget(BrokerSession &session, const PublishPlan &plan,
                                 const CallContext &context)
{
    const auto topics = session.describeTopics({plan.topic}, context);
    if (!topics)
        return topics.error();
    if (topics->isEmpty())
        return invalid(u"there is no topic %1"_s.arg(plan.topic));
    PublishTarget target{topics->constFirst(), session.capabilities(), {}};
    if (target.topic.error)
        return *target.topic.error;
    if (!target.capabilities.publish)
        return Error::make(ErrorKind::Unsupported, u"nothing can be published there"_s);
    if (!target.capabilities.ackPolicies.contains(plan.ack))
        return invalid(u"there is no ack policy %1 there"_s.arg(ackPolicyName(plan.ack)));
    if (plan.compression != Compression::None &&
        !target.capabilities.compressions.contains(plan.compression))
        return invalid(
            u"nothing is compressed by %1 there"_s.arg(compressionName(plan.compression)));
    if (plan.mapping == PublishPlan::Mapping::Fixed && !hasPartition(target.topic, plan.fixed))
        return invalid(u"%1 has no partition %2"_s.arg(plan.topic).arg(plan.fixed.value));
    if (target.capabilities.topicRules) {
        // A user may not be allowed to know them; then nothing is claimed.
        if (auto rules = session.topicRules(plan.topic, context))
            target.rules = *rules;
    }
    return target;
}

PlannedRecord planRecord(const SourceRecord &record, const PublishPlan &plan,
                         const PublishTarget &target)
{
    const Capabilities &can = target.capabilities;
    PlannedRecord planned;
    PublishRequest &request = planned.request;
    request.topic = plan.topic;
    request.key = record.content.key;
    request.value = record.content.value;
    request.headers = record.content.headers;
    if (plan.keepTimes)
        request.timestampMs = record.content.timestampMs;
    request.ack = plan.ack;
    request.compression = plan.compression;
    request.partitioner = plan.partitioner;
    request.expectedPartitionCount = qint32(target.topic.partitions.size());

    if (!record.problem.isEmpty())
        planned.refusal = record.problem;
    if (plan.mapping == PublishPlan::Mapping::Fixed)
        request.partition = plan.fixed;
    else if (plan.mapping == PublishPlan::Mapping::Keep)
        request.partition = record.partition;
    if (plan.mapping == PublishPlan::Mapping::Keep && !record.partition)
        planned.refusal = u"the file does not say which partition it was in"_s;
    else if (request.partition && !target.topic.partitions.isEmpty() &&
             !hasPartition(target.topic, *request.partition))
        planned.refusal = u"the topic has no partition %1"_s.arg(request.partition->value);

    planned.partition = request.partition;
    if (!request.partition) {
        const auto key = request.key ? std::optional(asBytes(*request.key)) : std::nullopt;
        const auto choice =
            Partitioner(plan.partitioner).explain(key, qint32(target.topic.partitions.size()));
        if (choice && choice->index)
            planned.partition = target.topic.partitions[*choice->index].id;
    }
    // A key that selects the partition has done what it is for, even if it is not stored.
    QStringList lost;
    if (!can.keys && request.key && request.partition)
        lost += u"a key"_s;
    if (!can.headers && !request.headers.isEmpty())
        lost += u"headers"_s;
    if (!can.timestamps && request.timestampMs)
        lost += u"a time"_s;
    if (!lost.isEmpty() && !plan.dropUnstored && planned.refusal.isEmpty())
        planned.refusal =
            u"it has %1, which would not be stored there"_s.arg(lost.join(u" and "_s));
    if (!can.headers)
        request.headers.clear();
    if (!can.timestamps)
        request.timestampMs.reset();
    if (planned.refusal.isEmpty())
        planned.refusal = refusalOf(request, target);
    return planned;
}

Result<PublishSummary>
planAll(RecordSource &source, const PublishPlan &plan, const PublishTarget &target,
        const std::function<bool(const SourceRecord &, const PlannedRecord &)> &each,
        const std::stop_token &stop)
{
    PublishSummary summary;
    while (!stop.stop_requested()) {
        const auto record = source.next();
        if (!record)
            return record.error();
        if (!*record) {
            summary.finished = true;
            return summary;
        }
        const PlannedRecord planned = planRecord(**record, plan, target);
        ++(planned.refusal.isEmpty() ? summary.published : summary.refused);
        summary.next = (*record)->number + 1;
        if (!each(**record, planned))
            return summary;
    }
    return Error::make(ErrorKind::Cancelled, {});
}

PublishSummary publishAll(BrokerSession &session, RecordSource &source, const PublishPlan &plan,
                          const PublishTarget &target, OutcomeFile &outcomes,
                          const std::function<void(const PublishProgress &)> &progress,
                          const std::stop_token &stop)
{
    return Run(session, plan, target, outcomes, progress, stop).run(source);
}

} // namespace topicscope::transfer
