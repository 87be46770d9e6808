#pragma once

#include "core/booblik/connection.h"
#include "core/booblik/topichandle.h"
#include "core/session/brokersession.h"

#include <map>

namespace topicscope::booblik
{

/// A booblik broker behind the interface every caller sees. One connection for everything but
/// following, which has its own.
/// Thread: confined to one thread; blocking.
class BooblikSession final : public BrokerSession
{
public:
    explicit BooblikSession(const SessionConfig &config);

    Capabilities capabilities() const override;
    Result<void> open(const CallContext &context) override;
    Result<TopicList> listTopics(const CallContext &context) override;
    Result<FetchResult> fetch(const FetchRequest &request, const CallContext &context) override;
    Result<std::unique_ptr<RecordFollower>> follow(const FollowRequest &request,
                                                   const CallContext &context) override;
    void close() override;

private:
    Result<PublishResult> doPublish(const PublishRequest &request,
                                    const CallContext &context) override;
    /// Adds the partition's offsets to an OFFSET_OUT_OF_RANGE.
    Error explained(Error error, const FetchRequest &request, const CallContext &context);

    Connection m_connection;
    std::map<QString, TopicHandle>
        m_topics; ///< published to; they keep the turn of keyless records
};

} // namespace topicscope::booblik
