#pragma once

#include "core/kafka/kafkahandle.h"

#include <functional>

namespace topicscope::kafka
{

using Event = std::unique_ptr<rd_kafka_event_t, Destroy<&rd_kafka_event_destroy>>;
/// Makes the request with these options; its answer goes to the queue.
using AdminSend =
    std::function<void(rd_kafka_t *, const rd_kafka_AdminOptions_t *, rd_kafka_queue_t *)>;

/// One admin request and its answer, on any kind of client. A late answer finds the queue gone and
/// is freed by the library. @error Broker, Network, Timeout, Cancelled. Thread: any; blocking.
Result<Event> askAdmin(const HandlePtr &handle, rd_kafka_admin_op_t operation,
                       const AdminSend &send, const CallContext &context);

} // namespace topicscope::kafka
