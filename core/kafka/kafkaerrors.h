#pragma once

#include "core/base/error.h"

#include <librdkafka/rdkafka.h>

#include <optional>

namespace topicscope::kafka
{

/// librdkafka's or the broker's error code as an Error; `detail` is added in front of the library's
/// own description. Codes above 0 come from the broker and keep their number and name (kind
/// Broker); the library's own are sorted by what a caller can do.
/// Source: librdkafka's rdkafka.h, rd_kafka_resp_err_t.
Error fromCode(rd_kafka_resp_err_t code, const QString &detail = {}, ErrorPlace where = {});

/// Whether a batch came that cannot be read: its checksum is wrong, it cannot be unpacked, or it is
/// packed in a way this build does not know. Asking again gives the same.
bool isUnreadableBatch(rd_kafka_resp_err_t code);

/// What an error says of an answer whose announced length the library does not take, and so drops
/// the connection: RecordExceedsMaxBytes, or Protocol when no Kafka broker would announce it.
std::optional<Error> refusedAnswer(rd_kafka_resp_err_t code, const QString &text);

/// What a line of the library's log says of an answer that cannot be parsed. The library itself
/// tells nobody, and asks again.
std::optional<Error> senselessAnswer(QLatin1StringView facility, const QString &text);

/// The code in a field of the library's, such as a message's. A broker may send a number that is no
/// value of the library's enumeration, and it must not be read as one: RD_KAFKA_RESP_ERR_UNKNOWN
/// then.
rd_kafka_resp_err_t codeOf(const rd_kafka_resp_err_t &field);

} // namespace topicscope::kafka
