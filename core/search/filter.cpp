#include "core/search/filter.h"

#include "core/base/bytewriter.h"
#include "core/records/headers.h"
#include "core/records/recordtime.h"
#include "core/search/filterparser.h"
#include "core/search/filterpattern.h"

#include <QCoreApplication>

#include <algorithm>
#include <compare>

namespace topicscope::search
{

namespace
{

/// A byte of a record costs one step, in headers, in JSON and for regular expressions more.
constexpr qint64 kHeaderSteps = 4;
constexpr qint64 kJsonSteps = 4;
constexpr qint64 kPatternSteps = 8;

Verdict verdict(bool yes)
{
    return yes ? Verdict::Yes : Verdict::No;
}

Verdict negated(Verdict verdict)
{
    switch (verdict) {
    case Verdict::No:
        return Verdict::Yes;
    case Verdict::Yes:
        return Verdict::No;
    case Verdict::Undecided:
        break;
    }
    return Verdict::Undecided;
}

bool holds(Test test, std::strong_ordering order)
{
    switch (test) {
    case Test::Less:
        return order < 0;
    case Test::LessOrEqual:
        return order <= 0;
    case Test::Greater:
        return order > 0;
    case Test::GreaterOrEqual:
        return order >= 0;
    default:
        return order == 0;
    }
}

std::strong_ordering compare(Bytes left, Bytes right)
{
    const size_t both = std::min(left.size(), right.size());
    const int order = both == 0 ? 0 : memcmp(left.data(), right.data(), both);
    return order != 0 ? order <=> 0 : left.size() <=> right.size();
}

/// Looks at one record. Steps are counted over all terms together.
class Evaluation
{
public:
    Evaluation(const Expression &expression, const RecordChunk &chunk, const Record &record,
               qint64 steps, const std::stop_token &stop)
        : m_expression(expression)
        , m_chunk(chunk)
        , m_record(record)
        , m_steps(steps)
        , m_stop(stop)
    {
    }

    /// No deeper than the parser lets brackets be.
    Verdict node(size_t index)
    {
        const Node &node = m_expression.nodes[index];
        switch (node.kind) {
        case Node::Kind::Term:
            return term(m_expression.terms[node.term]);
        case Node::Kind::Not:
            return negated(this->node(node.children.front()));
        case Node::Kind::And:
            return anyOf(node, Verdict::No);
        case Node::Kind::Or:
            break;
        }
        return anyOf(node, Verdict::Yes);
    }

private:
    bool has(RecordFlag flag) const { return m_record.flags.testFlag(flag); }

    /// One child of this verdict decides; otherwise one that is not decided leaves it so.
    Verdict anyOf(const Node &node, Verdict deciding)
    {
        Verdict whole = negated(deciding);
        for (const size_t child : node.children) {
            const Verdict one = this->node(child);
            if (one == deciding)
                return deciding;
            if (one == Verdict::Undecided)
                whole = one;
        }
        return whole;
    }

    /// False when there are no steps left, or it was stopped.
    bool spend(qint64 steps)
    {
        m_steps = m_stop.stop_requested() ? -1 : m_steps - steps;
        return m_steps >= 0;
    }

    Verdict term(const Term &term)
    {
        switch (term.subject) {
        case Subject::Flag:
            return verdict(has(term.flag));
        case Subject::Size:
            return number(term, m_record.valueSize);
        case Subject::Offset:
            return number(term, m_record.offset.value);
        case Subject::Partition:
            return number(term, m_chunk.partition().partition.value);
        case Subject::Time:
            return number(term, timeOf(m_chunk, m_record));
        default:
            break;
        }
        // What is not equal to anything there is, is what "not ==" says.
        return term.test == Test::NotEqual ? negated(payload(term)) : payload(term);
    }

    static Verdict number(const Term &term, std::optional<qint64> number)
    {
        if (term.test == Test::IsNull || term.test == Test::Exists)
            return verdict(number.has_value() == (term.test == Test::Exists));
        if (term.test == Test::NotEqual)
            return verdict(number != term.integer);
        return verdict(number && holds(term.test, *number <=> term.integer));
    }

    std::optional<Bytes> key() const
    {
        return has(RecordFlag::HasKey) ? std::optional(m_chunk.key(m_record)) : std::nullopt;
    }
    std::optional<Bytes> value() const
    {
        return has(RecordFlag::NullValue) ? std::nullopt : std::optional(m_chunk.value(m_record));
    }

    Verdict payload(const Term &term)
    {
        switch (term.subject) {
        case Subject::Key:
            return bytes(term, key());
        case Subject::Value:
            return bytes(term, value());
        case Subject::Header:
            return header(term);
        case Subject::Json:
            return json(term, value());
        case Subject::KeyJson:
            return json(term, key());
        default:
            return anywhere(term);
        }
    }

    Verdict bytes(const Term &term, const std::optional<Bytes> &bytes)
    {
        if (term.test == Test::IsNull || term.test == Test::Exists)
            return verdict(bytes.has_value() == (term.test == Test::Exists));
        if (!bytes)
            return Verdict::No;
        if (term.test == Test::IsEmpty)
            return verdict(bytes->empty());
        return text(term, *bytes);
    }

    Verdict text(const Term &term, Bytes bytes)
    {
        const Bytes wanted = asBytes(term.bytes);
        switch (term.test) {
        case Test::Contains:
            if (!spend(qint64(bytes.size())))
                return Verdict::Undecided;
            return verdict(findBytes(bytes, wanted).has_value());
        case Test::ContainsFolded:
            if (!spend(qint64(bytes.size())))
                return Verdict::Undecided;
            return verdict(term.folded.isIn(bytes));
        case Test::Matches:
            if (!spend(kPatternSteps * qint64(bytes.size()) + patternCost(bytes)))
                return Verdict::Undecided;
            return matchPattern(term.pattern, bytes);
        case Test::Starts:
            return verdict(bytes.size() >= wanted.size() &&
                           std::ranges::equal(bytes.first(wanted.size()), wanted));
        case Test::Ends:
            return verdict(bytes.size() >= wanted.size() &&
                           std::ranges::equal(bytes.last(wanted.size()), wanted));
        case Test::Equal:
        case Test::NotEqual: // turned round by term()
            return verdict(bytes.size() == wanted.size() && compare(bytes, wanted) == 0);
        default:
            return verdict(holds(term.test, compare(bytes, wanted)));
        }
    }

    /// Adds the verdict of one of several: any counts. @return whether it is decided
    static bool add(Verdict &whole, Verdict one)
    {
        if (one != Verdict::No)
            whole = one;
        return one == Verdict::Yes;
    }

    Verdict header(const Term &term)
    {
        const Bytes headers = m_chunk.headers(m_record);
        if (!spend(kHeaderSteps * qint64(headers.size())))
            return Verdict::Undecided;
        Verdict whole = Verdict::No;
        (void)visitHeaders(headers, [&](const RecordHeaderView &header) {
            if (!std::ranges::equal(header.name, asBytes(term.header)))
                return true;
            const bool exists = term.test == Test::Exists;
            return !add(whole, exists ? Verdict::Yes : bytes(term, header.value));
        });
        return whole;
    }

    Verdict anywhere(const Term &term)
    {
        Verdict whole = Verdict::No;
        if (add(whole, bytes(term, key())) || add(whole, bytes(term, value())))
            return whole;
        const Bytes headers = m_chunk.headers(m_record);
        if (!spend(kHeaderSteps * qint64(headers.size())))
            return Verdict::Undecided;
        (void)visitHeaders(headers, [&](const RecordHeaderView &header) {
            return !add(whole, text(term, header.name)) && !add(whole, bytes(term, header.value));
        });
        return whole;
    }

    Verdict json(const Term &term, const std::optional<Bytes> &document)
    {
        if (!document)
            return Verdict::No;
        if (!spend(kJsonSteps * qint64(document->size())))
            return Verdict::Undecided;
        Verdict whole = Verdict::No;
        findInJson(*document, term.path, [&](const JsonValue &value) {
            return add(whole, json(term, value)) || m_steps < 0;
        });
        return whole;
    }

    Verdict json(const Term &term, const JsonValue &value)
    {
        using Kind = JsonValue::Kind;
        switch (term.test) {
        case Test::Exists:
            return Verdict::Yes;
        case Test::IsNull:
            return verdict(value.kind == Kind::Null);
        case Test::IsEmpty:
            return verdict(value.kind == Kind::String && value.token.empty());
        default:
            break;
        }
        switch (term.operand) {
        case Term::Operand::True:
            return verdict(value.kind == Kind::True);
        case Term::Operand::False:
            return verdict(value.kind == Kind::False);
        case Term::Operand::Null:
            return verdict(value.kind == Kind::Null);
        case Term::Operand::JsonNumber:
            return verdict(value.kind == Kind::Number && holds(term.test, jsonOrder(term, value)));
        default:
            break;
        }
        if (value.kind != Kind::String)
            return Verdict::No;
        if (std::ranges::find(value.token, std::byte('\\')) == value.token.end())
            return text(term, value.token);
        const QByteArray unescaped = jsonUnescaped(value.token);
        return text(term, asBytes(unescaped));
    }

    static std::strong_ordering jsonOrder(const Term &term, const JsonValue &value)
    {
        const std::string_view token(reinterpret_cast<const char *>(value.token.data()),
                                     value.token.size());
        // It is one, or would be of another kind. Costs what its digits cost, which are paid for.
        return Decimal::parse(token).value_or(Decimal()) <=> term.number;
    }

    const Expression &m_expression;
    const RecordChunk &m_chunk;
    const Record &m_record;
    qint64 m_steps;
    const std::stop_token &m_stop;
};

/// The records of a chunk that have certain bytes anywhere in them, headers' framing included; goes
/// over the chunk's bytes once, and not at all over records without.
class Candidates
{
public:
    Candidates(const RecordChunk &chunk, Bytes wanted)
        : m_chunk(chunk)
        , m_wanted(wanted)
    {
    }

    /// The first at or behind `index`, which never goes back; `end` when there is none.
    size_t next(size_t index, size_t end)
    {
        const std::vector<Record> &records = m_chunk.records();
        while (index < end) {
            const size_t begin = beginOf(records[index]);
            if (!m_found || *m_found < begin) {
                const Bytes upTo = m_chunk.bytes().first(endOf(records[end - 1]));
                m_found = findBytes(upTo, m_wanted, begin);
                if (!m_found)
                    return end;
            }
            const size_t foundEnd = *m_found + m_wanted.size();
            if (foundEnd <= endOf(records[index]))
                return index;
            const auto from = records.begin() + ptrdiff_t(index) + 1;
            const auto next = std::partition_point(
                from, records.begin() + ptrdiff_t(end),
                [&](const Record &record) { return endOf(record) < foundEnd; });
            index = size_t(next - records.begin());
        }
        return end;
    }

private:
    static size_t beginOf(const Record &record)
    {
        const bool keyed = bool(record.flags & (RecordFlag::HasKey | RecordFlag::HasHeaders));
        return keyed ? record.keyBegin : record.valueBegin;
    }
    static size_t endOf(const Record &record)
    {
        return size_t(record.valueBegin) + record.valueSize;
    }

    const RecordChunk &m_chunk;
    Bytes m_wanted;
    std::optional<size_t> m_found; ///< the first place at or behind the last record's begin
};

} // namespace

Result<Filter> Filter::parse(const QString &text, qint64 nowMs, SyntaxError *where)
{
    auto parsed = parseExpression(text, nowMs);
    if (auto *expression = std::get_if<Expression>(&parsed))
        return Filter(std::make_shared<const Expression>(std::move(*expression)));
    const auto &error = std::get<SyntaxError>(parsed);
    if (where)
        *where = error;
    return Error::make(ErrorKind::InvalidArgument,
                       QCoreApplication::translate("Filter", "Column %1: %2")
                           .arg(error.column + 1)
                           .arg(error.expected));
}

std::optional<size_t> Filter::placeIn(std::span<const std::byte> bytes) const
{
    if (!m_expression->required)
        return std::nullopt;
    return findBytes(bytes, asBytes(m_expression->terms[*m_expression->required].bytes));
}

Verdict Filter::matches(const RecordChunk &chunk, const Record &record, qint64 steps,
                        const std::stop_token &stop) const
{
    return Evaluation(*m_expression, chunk, record, steps, stop).node(m_expression->root);
}

Filter::Matches Filter::matchesIn(const RecordChunk &chunk, size_t begin, size_t end, qint64 steps,
                                  const std::stop_token &stop) const
{
    Matches matches;
    std::optional<Candidates> candidates;
    if (m_expression->required)
        candidates.emplace(chunk, asBytes(m_expression->terms[*m_expression->required].bytes));
    for (size_t i = begin; i < end; ++i) {
        if (candidates)
            i = candidates->next(i, end);
        if (i == end || stop.stop_requested())
            break;
        const Record &record = chunk.records()[i];
        switch (this->matches(chunk, record, steps, stop)) {
        case Verdict::No:
            break;
        case Verdict::Yes:
            matches.hits.push_back(i);
            break;
        case Verdict::Undecided:
            matches.undecided.push_back(i);
            break;
        }
    }
    return matches;
}

} // namespace topicscope::search
