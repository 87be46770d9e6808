#include "core/booblik/produce.h"

#include "core/booblik/responsecodec.h"

namespace topicscope::booblik
{

using namespace Qt::StringLiterals;

namespace
{

Error outcomeUnknown(Error cause)
{
    cause.detail =
        u"sent, and no answer came: %1 %2"_s.arg(errorKindName(cause.kind), cause.detail).trimmed();
    cause.kind = ErrorKind::OutcomeUnknown;
    cause.retriable = false;
    return cause;
}

} // namespace

qint8 wireAck(AckPolicy policy)
{
    switch (policy) {
    case AckPolicy::None:
        return 0;
    case AckPolicy::Written:
        return 1;
    case AckPolicy::Forced:
        return 2;
    case AckPolicy::Acks0:
    case AckPolicy::Acks1:
    case AckPolicy::AcksAll:
        break; // another engine's promises; BrokerSession lets none of them through
    }
    Q_UNREACHABLE();
}

Result<std::optional<wire::ProduceResponse>> produceOnce(Connection &connection,
                                                         const wire::ProduceRequest &request,
                                                         Silence silence,
                                                         const CallContext &context)
{
    const auto sent = connection.send(request, context);
    if (!sent)
        return connection.requestLeft() ? outcomeUnknown(sent.error()) : sent.error();

    if (request.ackPolicy == wireAck(AckPolicy::None)) {
        if (silence == Silence::Settle) {
            if (auto settled = connection.settle(context); !settled)
                return outcomeUnknown(std::move(settled).error());
            for (const Connection::LateError &late : connection.takeLateErrors()) {
                if (late.correlationId == *sent)
                    return late.error;
            }
        }
        return std::optional<wire::ProduceResponse>();
    }

    const auto answer = connection.receive(context);
    if (!answer) {
        return answer.error().kind == ErrorKind::Broker ? answer.error()
                                                        : outcomeUnknown(answer.error());
    }
    const auto decoded = decodeProduceResponse(answer->body());
    if (!decoded)
        return outcomeUnknown(connection.drop(decoded.error()));
    if (decoded->logEndOffset - decoded->baseOffset < request.records.size()) {
        return outcomeUnknown(connection.drop(Error::make(
            ErrorKind::Protocol,
            u"%1 records stored, but the log went only from %2 to %3"_s.arg(request.records.size())
                .arg(decoded->baseOffset)
                .arg(decoded->logEndOffset))));
    }
    return std::optional(*decoded);
}

} // namespace topicscope::booblik
