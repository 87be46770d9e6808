#include "app/cli/publishoptions.h"

#include "app/cli/errorlines.h"

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

std::optional<AckPolicy> ackByName(const QString &name)
{
    for (const AckPolicy policy : {AckPolicy::None, AckPolicy::Written, AckPolicy::Forced,
                                   AckPolicy::Acks0, AckPolicy::Acks1, AckPolicy::AcksAll}) {
        if (ackPolicyName(policy) == name)
            return policy;
    }
    return std::nullopt;
}

std::optional<Compression> compressionByName(const QString &name)
{
    for (const Compression compression : {Compression::None, Compression::Gzip, Compression::Snappy,
                                          Compression::Lz4, Compression::Zstd}) {
        if (compressionName(compression) == name)
            return compression;
    }
    return std::nullopt;
}

} // namespace

Result<void> readDelivery(const CommandLine &line, const Capabilities &capabilities,
                          PublishRequest &request)
{
    if (line.positional().size() != 1)
        return refusal(u"needs one topic"_s);
    request.topic = line.positional().constFirst();

    const auto name = line.value(u"ack"_s);
    const auto ack = name ? ackByName(*name) : capabilities.ackPolicies.value(0);
    if (!ack || !capabilities.ackPolicies.contains(*ack)) {
        QStringList names;
        for (const AckPolicy policy : capabilities.ackPolicies)
            names += ackPolicyName(policy);
        return refusal(u"--ack needs one of: "_s + names.join(u", "_s));
    }
    request.ack = *ack;
    if (line.has(u"partition"_s)) {
        const auto partition =
            line.number(u"partition"_s, 0, 0, std::numeric_limits<qint32>::max());
        if (!partition)
            return partition.error();
        request.partition = PartitionId{qint32(*partition)};
    }
    request.partitioner = capabilities.partitioners.constFirst();
    if (const auto named = line.value(u"partitioner"_s)) {
        const auto partitioner = Partitioner::byName(*named);
        if (!partitioner)
            return refusal(
                u"unknown partitioner '%1'; 'topicscope-cli hash' lists them"_s.arg(*named));
        request.partitioner = partitioner->algorithm();
    }
    if (const auto named = line.value(u"compression"_s)) {
        const auto compression = compressionByName(*named);
        QStringList names;
        for (const Compression one : capabilities.compressions)
            names += compressionName(one);
        if (names.isEmpty())
            return refusal(u"this broker compresses nothing"_s);
        if (!compression || !capabilities.compressions.contains(*compression))
            return refusal(u"--compression needs one of: "_s + names.join(u", "_s));
        request.compression = *compression;
    }
    return {};
}

} // namespace topicscope::cli
