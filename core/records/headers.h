#pragma once

#include "core/base/result.h"
#include "core/records/jsonline.h"

#include <QByteArray>
#include <QList>

#include <functional>
#include <optional>
#include <span>

namespace topicscope
{

/// One header of a record. Names may repeat, may be empty and need not be UTF-8; a value may be
/// null (nullopt), which is not the same as empty.
struct RecordHeader {
    QByteArray name;
    std::optional<QByteArray> value;

    bool operator==(const RecordHeader &) const = default;
};

/// In the record's order, which matters.
using HeaderList = QList<RecordHeader>;

/// Appends headers as Apache Kafka's record format 2 has them: a count, then per header the length
/// and bytes of the name and of the value (length -1 = null); counts and lengths are zig-zag
/// varints. Source: Kafka's message format documentation, "Record Header".
void appendHeaders(QByteArray &out, const HeaderList &headers);

/// One header where it stands.
struct RecordHeaderView {
    std::span<const std::byte> name;
    std::optional<std::span<const std::byte>> value; ///< nullopt: null
};

/// Goes through the headers without copying them, until `visit` returns false.
/// @error as readHeaders(), as soon as something does not fit.
/// Thread: any (pure).
Result<void> visitHeaders(std::span<const std::byte> bytes,
                          const std::function<bool(const RecordHeaderView &)> &visit);

/// Reads what appendHeaders() writes. Empty bytes are no headers.
/// @error Protocol when a length does not fit what is there, or bytes are left over.
/// Thread: any (pure).
Result<HeaderList> readHeaders(std::span<const std::byte> bytes);

/// {"name":…,"value":…}, a null value as null: how a header is written wherever it is exported.
JsonLine headerJson(const RecordHeader &header);

} // namespace topicscope
