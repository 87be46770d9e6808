#pragma once

#include "core/booblik/rangereader.h"
#include "core/session/brokersession.h"

#include <memory>
#include <vector>

namespace topicscope::booblik
{

/// Several partitions read as they grow: one connection each, because a held FETCH blocks
/// everything behind it on its connection. Each holds at most one answer not yet handed out, in its
/// socket's buffers, so a slow caller makes the broker wait and loses nothing.
///
/// Order holds inside a partition only; partitions take turns.
/// Thread: confined to one thread; blocking.
class Subscription final : public RecordFollower
{
public:
    using Start = std::pair<TopicPartition, Offset>;

    /// @param options  maxWait is cut to stay below the request timeout
    Subscription(const SessionConfig &config, const std::vector<Start> &from, ReadOptions options);
    ~Subscription() override;

    /// How long to let the broker hold a request: as long as the request timeout safely allows, at
    /// most 30 s, which is below the usual idle limits on the way.
    static std::chrono::milliseconds holdTime(const SessionConfig &config);

    /// Connects all. @error Network, Timeout, Cancelled.
    Result<void> open(const CallContext &context);

    Result<FetchResult> next(const CallContext &context) override;
    void skipTo(const TopicPartition &partition, Offset offset) override;
    std::vector<Start> positions() const override;

private:
    struct Partition;

    /// Asks where nothing is under way. @error as Connection::send().
    Result<void> askAll(const CallContext &context);
    /// The answer of one partition, when it is there and worth returning.
    Result<std::optional<FetchResult>> take(Partition &partition, const CallContext &context);
    void wait(std::chrono::milliseconds limit);

    std::vector<std::unique_ptr<Partition>> m_partitions;
    size_t m_turn = 0; ///< whose answer is looked at first
};

} // namespace topicscope::booblik
