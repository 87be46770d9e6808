#pragma once

#include "core/base/callcontext.h"
#include "core/booblik/messages.h"
#include "tests/support/hostilebroker.h"

namespace topicscope::test
{

// What tests of a connection ask and are answered, where only that it was asked matters.

inline CallContext call(std::chrono::milliseconds limit = std::chrono::seconds(5))
{
    return CallContext(limit);
}

inline const booblik::wire::FetchRequest kFetch{QStringLiteral("t"), 0, 0, 100, 0, 0};

inline booblik::wire::ProduceRequest produceOf(const QByteArray &record, qint8 ack)
{
    return {QStringLiteral("t"), 0, ack, {record}};
}

inline QByteArray anyMetadata(qint32 id)
{
    return answer(id, metadataBody("t", {{0, 3}}));
}

} // namespace topicscope::test
