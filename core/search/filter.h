#pragma once

#include "core/base/result.h"
#include "core/records/recordchunk.h"

#include <QString>

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace topicscope::search
{

struct Expression;

/// Where a text is no filter.
struct SyntaxError {
    qsizetype column = 0; ///< in UTF-16 units from 0
    qsizetype length = 0; ///< of what is wrong there; 0 at the end of the text
    QString expected;     ///< a sentence: what was expected instead
};

enum class Verdict {
    No,
    Yes,
    Undecided, ///< looking would have taken more steps than a record may take
};

inline constexpr qsizetype kMaxFilterChars = 16'384;
inline constexpr int kMaxFilterDepth = 64; ///< of brackets and "not"

/// Says of a record whether it is looked for; its language is described in docs/search.md. Works on
/// the record's bytes and looks at no more of them than the answer needs. What one record may cost
/// is bounded: no text and no record can make it run away.
///
/// A plain value that shares what it was made from. Thread: any.
class Filter
{
public:
    /// @param nowMs  what "@-1h" counts from; ms since 1970
    /// @param where  set on failure, unless null
    /// @error InvalidArgument; detail is one sentence with the column.
    static Result<Filter> parse(const QString &text, qint64 nowMs, SyntaxError *where = nullptr);

    /// The same filter in one agreed spelling; times are absolute in it.
    QString text() const;

    /// What looking at one record may cost, in bytes looked for in: a second or two at most.
    static constexpr qint64 kSteps = qint64(256) * 1024 * 1024;
    /// The same for a thread that must not wait.
    static constexpr qint64 kStepsAtOnce = qint64(64) * 1024 * 1024;

    /// Undecided also when stopped.
    Verdict matches(const RecordChunk &chunk, const Record &record, qint64 steps = kSteps,
                    const std::stop_token &stop = {}) const;

    /// Positions in a chunk's records.
    struct Matches {
        std::vector<size_t> hits;
        std::vector<size_t> undecided;
    };
    /// The same for chunk.records()[begin … end) at once. Bytes that every hit must have are looked
    /// for in all of them first. Ends early when stopped, with what it has.
    Matches matchesIn(const RecordChunk &chunk, size_t begin, size_t end, qint64 steps = kSteps,
                      const std::stop_token &stop = {}) const;
    Matches matchesIn(const RecordChunk &chunk) const
    {
        return matchesIn(chunk, 0, chunk.records().size());
    }

    /// Where in these bytes of a hit what every hit must have begins; nullopt where there is no
    /// such thing, or it is elsewhere in the record.
    std::optional<size_t> placeIn(std::span<const std::byte> bytes) const;

private:
    explicit Filter(std::shared_ptr<const Expression> expression)
        : m_expression(std::move(expression))
    {
    }

    std::shared_ptr<const Expression> m_expression;
};

// A filter's text for what stands in a cell: records that have the same there. nullopt where the
// text would become longer than a filter may be. Thread: any (pure).

using CellBytes = std::optional<std::span<const std::byte>>; ///< nullopt: null

/// Records that have this text anywhere.
std::optional<QString> filterForText(const QString &text);
std::optional<QString> filterForKey(const CellBytes &key);
std::optional<QString> filterForValue(const CellBytes &value);
std::optional<QString> filterForHeader(std::span<const std::byte> name, const CellBytes &value);
/// `field` is "size", "offset" or "partition".
QString filterForNumber(const QString &field, qint64 number);
QString filterForTime(std::optional<qint64> timestampMs);
/// Records that are not so. Precondition: a filter's text.
QString filterOut(const QString &filter);
/// Records that are both.
QString filterBoth(const QString &left, const QString &right);

} // namespace topicscope::search
