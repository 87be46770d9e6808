#include "core/sessionfactory.h"

#include "core/booblik/boobliksession.h"
#include "core/transfer/filesession.h"
#ifdef TOPICSCOPE_WITH_KAFKA
#include "core/kafka/kafkasession.h"
#include "core/kafka/librarycatalog.h"
#endif

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

#ifndef TOPICSCOPE_WITH_KAFKA
/// Says with every call that this build cannot.
class MissingEngine final : public BrokerSession
{
public:
    using BrokerSession::BrokerSession;

    Capabilities capabilities() const override { return {}; }
    Result<void> open(const CallContext & /*context*/) override { return error(); }
    Result<TopicList> listTopics(const CallContext & /*context*/) override { return error(); }
    Result<FetchResult> fetch(const FetchRequest & /*request*/,
                              const CallContext & /*context*/) override
    {
        return error();
    }
    Result<std::unique_ptr<RecordFollower>> follow(const FollowRequest & /*request*/,
                                                   const CallContext & /*context*/) override
    {
        return error();
    }
    void close() override {}

private:
    Result<PublishResult> doPublish(const PublishRequest & /*request*/,
                                    const CallContext & /*context*/) override
    {
        return error();
    }
    static Error error()
    {
        return Error::make(ErrorKind::Unsupported,
                           u"this build has no Apache Kafka engine (WITH_KAFKA=OFF)"_s);
    }
};
#endif

} // namespace

SessionFactory defaultSessionFactory()
{
    return [](const SessionConfig &config) -> std::unique_ptr<BrokerSession> {
        switch (config.engine) {
        case Engine::Booblik:
            break;
        case Engine::File:
            return std::make_unique<transfer::FileSession>(config);
        case Engine::Kafka:
#ifdef TOPICSCOPE_WITH_KAFKA
            return std::make_unique<kafka::KafkaSession>(config);
#else
            return std::make_unique<MissingEngine>(config);
#endif
        }
        return std::make_unique<booblik::BooblikSession>(config);
    };
}

const PropertyCatalog *kafkaPropertyCatalog()
{
#ifdef TOPICSCOPE_WITH_KAFKA
    static const kafka::LibraryCatalog catalog;
    return &catalog;
#else
    return nullptr;
#endif
}

} // namespace topicscope
