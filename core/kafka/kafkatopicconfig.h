#pragma once

#include "core/kafka/kafkahandle.h"
#include "core/session/publish.h"
#include "core/session/topicinfo.h"

namespace topicscope::kafka
{

struct TopicSetting {
    QString value;
    bool isTopics = false; ///< set for this topic; else the broker's default for all of them
};

/// A topic's settings by name, e.g. "max.message.bytes", as the broker applies them.
/// @error Broker (TOPIC_AUTHORIZATION_FAILED, ...), Timeout, Cancelled. Thread: any; blocking.
Result<QMap<QString, TopicSetting>> topicConfig(const HandlePtr &handle, const QString &topic,
                                                const CallContext &context);

/// What these settings mean for a record. Thread: any (pure).
TopicRules rulesOf(const QMap<QString, TopicSetting> &config);

/// A publish that stored nothing, with what the broker's answer leaves out: the topic's size limit
/// (recordBytes, limitBytes), and that it timed out for too few replicas in sync
/// (NOT_ENOUGH_REPLICAS, with both numbers). The same error where that cannot be found out.
Error explainedRefusal(Error error, const PublishRequest &request, const HandlePtr &handle,
                       const CallContext &context);

} // namespace topicscope::kafka
