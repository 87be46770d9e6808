#pragma once

#include "core/records/record.h"
#include "core/search/bytesearch.h"
#include "core/search/decimal.h"
#include "core/search/jsonpath.h"

#include <QByteArray>
#include <QRegularExpression>
#include <QString>

#include <vector>

namespace topicscope::search
{

// What a filter's text says, as the parser leaves it; for this folder alone. Immutable once parsed.

/// What of a record a term looks at.
enum class Subject {
    Anywhere,
    Key,
    Value,
    Header,
    Json,
    KeyJson,
    Size,
    Offset,
    Partition,
    Time,
    Flag
};

enum class Test {
    Equal,
    NotEqual, ///< exactly what "not … ==" is
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
    ContainsFolded, ///< ASCII capitals and small letters are the same
    Starts,
    Ends,
    Matches, ///< a regular expression
    IsNull,
    IsEmpty,
    Exists,
};

/// A regular expression as it is typed and as it is run.
struct Pattern {
    QString text;  ///< between its slashes
    QString flags; ///< "i", "m", "s"
    /// The same with a limit for texts of each length, see filterpattern.cpp.
    std::vector<QRegularExpression> byLength;
};

struct Term {
    enum class Operand { None, Text, JsonNumber, True, False, Null, Integer };

    Subject subject = Subject::Anywhere;
    Test test = Test::Contains;
    Operand operand = Operand::None;
    QByteArray bytes;   ///< Text; JsonNumber: as it is typed
    Decimal number;     ///< JsonNumber: what `bytes`, which copies share, says
    qint64 integer = 0; ///< Integer; a time in ms since 1970
    QByteArray header;
    JsonPath path;
    RecordFlag flag = RecordFlag::HasKey;
    Pattern pattern;
    FoldedNeedle folded;
};

struct Node {
    enum class Kind { And, Or, Not, Term };
    Kind kind = Kind::Term;
    std::vector<size_t> children; ///< And, Or: two at least; Not: one
    size_t term = 0;              ///< Term
};

struct Expression {
    std::vector<Node> nodes;
    std::vector<Term> terms;
    size_t root = 0;
    /// Bytes without which no record of a chunk matches; empty: there are none such. Index of a
    /// term.
    std::optional<size_t> required;
};

/// Names of flags as "flag:" takes them.
struct FlagName {
    const char *name;
    RecordFlag flag;
};
inline constexpr std::array<FlagName, 7> kFlagNames{{
    {"crc", RecordFlag::ChecksumMismatch},
    {"size", RecordFlag::SizeDamaged},
    {"verified", RecordFlag::ChecksumVerified},
    {"batch-verified", RecordFlag::BatchVerified},
    {"tombstone", RecordFlag::NullValue},
    {"headers", RecordFlag::HasHeaders},
    {"log-append", RecordFlag::LogAppendTime},
}};

} // namespace topicscope::search
