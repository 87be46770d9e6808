#pragma once

#include "core/records/headers.h"
#include "core/records/recordchunk.h"

#include <QJsonObject>

#include <optional>

namespace topicscope
{

/// What a record says, apart from where it is. Null, empty and bytes are three things.
struct RecordContent {
    std::optional<QByteArray> key;
    std::optional<QByteArray> value;
    HeaderList headers;
    std::optional<qint64> timestampMs; ///< ms since 1970; nullopt: when it is published

    bool operator==(const RecordContent &) const = default;
};

/// A stored record's content, without its time. Headers that do not add up are left out.
RecordContent contentOf(const RecordChunk &chunk, const Record &record);

/// As JSON that keeps every byte: "key", "value" and the headers' "name" and "value" in base64 or
/// null, "timestampMs" as digits in a string. @error InvalidArgument: it is something else.
QJsonObject toJson(const RecordContent &content);
Result<RecordContent> recordContentFromJson(const QJsonObject &json);

} // namespace topicscope
