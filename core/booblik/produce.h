#pragma once

#include "core/booblik/connection.h"
#include "core/session/capabilities.h"

#include <optional>

namespace topicscope::booblik
{

qint8 wireAck(AckPolicy policy);

/// Whether to find out if a request with ack policy NONE was refused.
enum class Silence {
    Trust, ///< return as soon as the bytes are out; refusals come by Connection::takeLateErrors()
    Settle ///< ask something behind it, whose answer proves that it was accepted
};

/// One PRODUCE, sent once and never again.
/// @return the answer; nullopt for ack policy NONE
/// @error Broker, InvalidArgument: nothing was stored.
/// @error Network, Timeout, Cancelled: nothing was sent.
/// @error OutcomeUnknown: at least one byte was sent, and no answer came.
Result<std::optional<wire::ProduceResponse>> produceOnce(Connection &connection,
                                                         const wire::ProduceRequest &request,
                                                         Silence silence,
                                                         const CallContext &context);

} // namespace topicscope::booblik
