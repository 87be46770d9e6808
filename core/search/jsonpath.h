#pragma once

#include <QByteArray>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace topicscope::search
{

/// One step into a JSON document.
struct JsonStep {
    enum class Kind { Member, Element, AnyElement };
    Kind kind = Kind::Member;
    QByteArray name;  ///< Member: UTF-8
    qint64 index = 0; ///< Element: from 0

    bool operator==(const JsonStep &) const = default;
};

using JsonPath = std::vector<JsonStep>; ///< empty: the document itself

/// A value as it stands in a document.
struct JsonValue {
    enum class Kind { Object, Array, String, Number, True, False, Null };
    Kind kind = Kind::Null;
    std::span<const std::byte> token; ///< String: between its quotes, escapes as they stand
};

/// Finds the values a path leads to, in the order they stand in; names that stand twice are looked
/// into twice. Reads the bytes once, front to back, and keeps nothing but where in the path it is:
/// no depth is too deep. What the path does not touch is stepped over by its quotes and brackets
/// alone; where the grammar breaks on the way, the document ends. A value that is cut is none.
/// @param onValue  returns true to stop
/// @return whether it did
/// Thread: any (pure).
bool findInJson(std::span<const std::byte> bytes, const JsonPath &path,
                const std::function<bool(const JsonValue &)> &onValue);

/// The bytes (UTF-8) a string's token stands for. Half a surrogate pair becomes U+FFFD.
QByteArray jsonUnescaped(std::span<const std::byte> token);

} // namespace topicscope::search
