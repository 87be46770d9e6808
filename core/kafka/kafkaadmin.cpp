#include "core/kafka/kafkaadmin.h"

#include "core/kafka/kafkaerrors.h"

#include <algorithm>
#include <array>

namespace topicscope::kafka
{

namespace
{

using Options = std::unique_ptr<rd_kafka_AdminOptions_t, Destroy<&rd_kafka_AdminOptions_destroy>>;

} // namespace

Result<Event> askAdmin(const HandlePtr &handle, rd_kafka_admin_op_t operation,
                       const AdminSend &send, const CallContext &context)
{
    const ErrorPlace where{{}, {}, {}, handle->endpoint(), {}};
    const Options options(rd_kafka_AdminOptions_new(handle->get(), operation));
    constexpr qint64 kLongest = 60'000;
    constexpr qint64 kForItsAnswer = 1'000;
    const qint64 patience = context.deadline.isForever()
                                ? kLongest
                                : std::min(context.deadline.remainingTime(), kLongest);
    // Less than we wait: with one broker away, the others' answers come when its time is up.
    const qint64 limit = std::max<qint64>(1, patience - std::min(kForItsAnswer, patience / 4));
    std::array<char, 256> text{};
    if (const auto code = rd_kafka_AdminOptions_set_request_timeout(options.get(), int(limit),
                                                                    text.data(), text.size()))
        return fromCode(code, QString::fromUtf8(text.data()), where);
    const Queue queue(rd_kafka_queue_new(handle->get()));
    send(handle->get(), options.get(), queue.get());
    Event event;
    if (auto interrupted = handle->waitFor(
            [&](std::chrono::milliseconds slice) {
                event.reset(rd_kafka_queue_poll(queue.get(), int(slice.count())));
                return event != nullptr;
            },
            context))
        return std::move(*interrupted);
    if (const auto code = rd_kafka_event_error(event.get()))
        return fromCode(code, QString::fromUtf8(rd_kafka_event_error_string(event.get())), where);
    return event;
}

} // namespace topicscope::kafka
