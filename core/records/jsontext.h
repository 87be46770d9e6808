#pragma once

#include "core/base/result.h"

#include <QString>

#include <cstddef>
#include <span>
#include <stop_token>

namespace topicscope
{

// JSON (RFC 8259) laid out for reading, by tokens and never through values: numbers keep their
// digits, strings their escapes, objects their order and their duplicate keys. No recursion, so
// any depth is fine. Thread: any (pure); takes about as long as copying the text a few times.

struct JsonLimits {
    qsizetype maxBytes = qsizetype{64} * 1024 * 1024; ///< of input
    qsizetype maxChars =
        qsizetype{64} * 1024 * 1024; ///< of output: layout can be far larger than its input
    std::stop_token stop = {};       ///< nobody wants it any more
};

/// Indentation grows by two blanks a level up to this level; deeper ones stay there.
inline constexpr qsizetype kMaxIndentLevels = 32;

/// One member or element a line. Invisible characters inside strings are drawn as in
/// records/payloadformat.h.
/// @error InvalidArgument: the first place that breaks the grammar in where.byte and why in detail;
/// or recordBytes and limitBytes when a limit would be passed; Cancelled when it was to stop.
Result<QString> jsonPretty(std::span<const std::byte> bytes, const JsonLimits &limits = {});

/// The same with the members of every object in the order of their names, so that two documents can
/// be compared whatever order they were written in; duplicates stay as they are. Names are compared
/// as they are written, escapes and all.
/// @error as jsonPretty(); the limit of the input is also kMaxSortedTokens
Result<QString> jsonSorted(std::span<const std::byte> bytes, const JsonLimits &limits = {});

inline constexpr qsizetype kMaxSortedTokens = 4'000'000; ///< values and containers

/// Whether the bytes are one JSON value (any kind) with nothing but blanks around it.
/// @error as jsonPretty(), without limits.
Result<void> jsonCheck(std::span<const std::byte> bytes);

} // namespace topicscope
