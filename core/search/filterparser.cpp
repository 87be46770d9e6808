#include "core/search/filterparser.h"

#include "core/records/timeinput.h"
#include "core/search/decimal.h"
#include "core/search/filterpattern.h"
#include "core/search/filterreader.h"

#include <algorithm>
#include <limits>

namespace topicscope::search
{

using namespace Qt::StringLiterals;

namespace
{

constexpr size_t kMaxPathSteps = 64;
/// A literal's exponent; every number beyond is larger, or smaller, than any literal.
constexpr qint64 kMaxExponent = 1'000'000'000;

struct Field {
    QLatin1StringView name;
    Subject subject;
};

constexpr std::array<Field, 8> kFields{{
    {QLatin1StringView("key"), Subject::Key},
    {QLatin1StringView("value"), Subject::Value},
    {QLatin1StringView("header"), Subject::Header},
    {QLatin1StringView("json"), Subject::Json},
    {QLatin1StringView("size"), Subject::Size},
    {QLatin1StringView("offset"), Subject::Offset},
    {QLatin1StringView("partition"), Subject::Partition},
    {QLatin1StringView("time"), Subject::Time},
}};

struct Operator {
    QLatin1StringView text;
    Test test;
};

/// Longer ones first.
constexpr std::array<Operator, 8> kSigns{{
    {QLatin1StringView("=="), Test::Equal},
    {QLatin1StringView("!="), Test::NotEqual},
    {QLatin1StringView("=~"), Test::Matches},
    {QLatin1StringView("<="), Test::LessOrEqual},
    {QLatin1StringView(">="), Test::GreaterOrEqual},
    {QLatin1StringView("<"), Test::Less},
    {QLatin1StringView(">"), Test::Greater},
    {QLatin1StringView("~"), Test::ContainsFolded},
}};

constexpr std::array<Operator, 5> kWords{{
    {QLatin1StringView("contains"), Test::Contains},
    {QLatin1StringView("icontains"), Test::ContainsFolded},
    {QLatin1StringView("starts"), Test::Starts},
    {QLatin1StringView("ends"), Test::Ends},
    {QLatin1StringView("exists"), Test::Exists},
}};

struct Unit {
    QLatin1StringView name;
    qint64 bytes;
};

constexpr std::array<Unit, 7> kUnits{{
    {QLatin1StringView("B"), 1},
    {QLatin1StringView("kB"), 1000},
    {QLatin1StringView("MB"), 1'000'000},
    {QLatin1StringView("GB"), 1'000'000'000},
    {QLatin1StringView("KiB"), 1024},
    {QLatin1StringView("MiB"), 1'048'576},
    {QLatin1StringView("GiB"), 1'073'741'824},
}};

bool isNumeric(Subject subject)
{
    return subject == Subject::Size || subject == Subject::Offset ||
           subject == Subject::Partition || subject == Subject::Time;
}

bool isJson(Subject subject)
{
    return subject == Subject::Json || subject == Subject::KeyJson;
}

bool isOrder(Test test)
{
    return test == Test::Less || test == Test::LessOrEqual || test == Test::Greater ||
           test == Test::GreaterOrEqual;
}

/// Reads one text. Every parse…() leaves the position behind what it took, or sets the error.
class Parser : private FilterReader
{
public:
    Parser(const QString &text, qint64 nowMs)
        : FilterReader(text)
        , m_nowMs(nowMs)
    {
    }

    std::variant<Expression, SyntaxError> run()
    {
        if (m_text.size() > kMaxFilterChars) {
            return SyntaxError{kMaxFilterChars, m_text.size() - kMaxFilterChars,
                               tr("A filter has at most %1 characters.").arg(kMaxFilterChars)};
        }
        m_expression.root = parseOr();
        if (!m_error && !atEnd())
            fail(m_at, 1, tr("There is no bracket open here.")); // all else was taken
        if (m_error)
            return *m_error;
        findRequired();
        return std::move(m_expression);
    }

private:
    // ------------------------------------------------------------------------------ connectives

    size_t add(Node node)
    {
        m_expression.nodes.push_back(std::move(node));
        return m_expression.nodes.size() - 1;
    }

    size_t addTerm(Term term)
    {
        m_expression.terms.push_back(std::move(term));
        return add({Node::Kind::Term, {}, m_expression.terms.size() - 1});
    }

    size_t join(Node::Kind kind, std::vector<size_t> children)
    {
        return children.size() == 1 ? children.front() : add({kind, std::move(children), 0});
    }

    size_t parseOr()
    {
        std::vector<size_t> children{parseAnd()};
        while (!failed() && !atEnd() && takeWord(QLatin1StringView("or")))
            children.push_back(parseAnd());
        return join(Node::Kind::Or, std::move(children));
    }

    /// What stands side by side belongs together as with "and" between.
    size_t parseAnd()
    {
        std::vector<size_t> children{parseNot()};
        while (!failed() && !atEnd() && peek() != u')' &&
               peekWord().compare(QLatin1StringView("or"), Qt::CaseInsensitive) != 0) {
            takeWord(QLatin1StringView("and"));
            children.push_back(parseNot());
        }
        return join(Node::Kind::And, std::move(children));
    }

    size_t parseNot()
    {
        const qsizetype begin = m_at;
        if (m_depth == kMaxFilterDepth)
            return failHere(tr("Brackets and 'not' go at most %1 deep.").arg(kMaxFilterDepth));
        ++m_depth;
        size_t node = 0;
        if (atEnd()) {
            fail(m_at, 0,
                 begin == 0 ? tr("Something to look for is expected.")
                            : tr("Something to look for is expected behind this."));
        } else if (takeWord(QLatin1StringView("not"))) {
            node = add({Node::Kind::Not, {parseNot()}, 0});
        } else if (peek() == u'(') {
            ++m_at;
            node = parseOr();
            if (!failed() && peek() != u')')
                failHere(tr("A closing bracket is expected."));
            ++m_at;
        } else {
            node = parseTerm();
            const bool ends = m_at >= m_text.size() || peek().isSpace() || peek() == u')';
            if (!failed() && !ends) {
                failHere(tr("A blank is expected here; a text that has quotation marks, brackets "
                            "or one of = ! < > ~ in it stands in quotation marks as a whole."));
            }
        }
        --m_depth;
        return node;
    }

    // ------------------------------------------------------------------------------ terms

    size_t parseTerm()
    {
        if (isQuote(peek()) || isBytes())
            return parseText();
        const qsizetype begin = m_at;
        const QStringView word = peekWord();
        if (word.isEmpty())
            return failHere(tr("Something to look for is expected."));
        if (word.startsWith(QLatin1StringView("flag:")))
            return parseFlag(word);
        if (const auto subject = subjectOf(word))
            return parseField(*subject);
        if (isReservedWord(word)) {
            return failHere(
                tr("Something to look for is expected in front of '%1'; to look for the "
                   "word itself, put it in quotation marks.")
                    .arg(word));
        }
        m_at += word.size();
        const qsizetype end = m_at;
        if (!atEnd() && startsOperator()) {
            return fail(begin, end - begin,
                        tr("A field is expected: key, value, header[\"…\"], json.…, key.json.…, "
                           "size, offset, partition or time."));
        }
        m_at = end;
        return addTerm(textTerm(word.toUtf8()));
    }

    static Term textTerm(QByteArray bytes)
    {
        Term term;
        term.operand = Term::Operand::Text;
        term.bytes = std::move(bytes);
        return term;
    }

    size_t parseText()
    {
        const qsizetype begin = m_at;
        QByteArray bytes = parseBytes();
        if (!failed() && bytes.isEmpty())
            return fail(begin, m_at - begin, tr("A text of one character at least is expected."));
        return addTerm(textTerm(std::move(bytes)));
    }

    size_t parseFlag(QStringView word)
    {
        const QStringView name = word.sliced(5);
        const auto found = std::ranges::find_if(
            kFlagNames, [&](const FlagName &flag) { return name == QLatin1StringView(flag.name); });
        if (found == kFlagNames.end()) {
            QStringList names;
            for (const FlagName &flag : kFlagNames)
                names += QLatin1StringView(flag.name);
            return fail(m_at + 5, name.size(),
                        tr("A flag is expected: %1.").arg(names.join(u", ")));
        }
        m_at += word.size();
        Term term;
        term.subject = Subject::Flag;
        term.flag = found->flag;
        return addTerm(std::move(term));
    }

    static std::optional<Subject> subjectOf(QStringView word)
    {
        if (word.startsWith(QLatin1StringView("json.")))
            return Subject::Json;
        if (word == QLatin1StringView("key.json") ||
            word.startsWith(QLatin1StringView("key.json.")))
            return Subject::KeyJson;
        const auto field =
            std::ranges::find_if(kFields, [&](const Field &each) { return word == each.name; });
        return field == kFields.end() ? std::nullopt : std::optional(field->subject);
    }

    size_t parseField(Subject subject)
    {
        Term term;
        term.subject = subject;
        if (isJson(subject)) {
            m_at += subject == Subject::Json ? 4 : 8;
            parsePath(term);
        } else {
            m_at += peekWord().size();
        }
        if (subject == Subject::Header)
            parseHeaderName(term);
        if (!failed())
            parseTest(term);
        if (!failed())
            parseOperand(term);
        return failed() ? 0 : addTerm(std::move(term));
    }

    /// ["name"]
    void parseHeaderName(Term &term)
    {
        if (atEnd() || peek() != u'[') {
            failHere(tr("The header's name in brackets is expected: header[\"name\"]."));
            return;
        }
        ++m_at;
        if (!atEnd() && (isQuote(peek()) || isBytes()))
            term.header = parseBytes();
        else
            failHere(tr("The header's name in quotation marks is expected."));
        closeBracket();
    }

    void closeBracket()
    {
        if (!failed() && (atEnd() || peek() != u']'))
            failHere(tr("A closing ] is expected."));
        ++m_at;
    }

    /// .name, [0], [*], ["any name"], one behind the other
    void parsePath(Term &term)
    {
        while (!failed() && (peek() == u'.' || peek() == u'[')) {
            if (term.path.size() == kMaxPathSteps) {
                failHere(tr("A path has at most %1 steps.").arg(kMaxPathSteps));
            } else if (peek() == u'.') {
                ++m_at;
                const QStringView word = peekWord();
                const QStringView name = word.first(
                    std::max<qsizetype>(0, word.contains(u'.') ? word.indexOf(u'.') : word.size()));
                if (name.isEmpty())
                    failHere(tr("A member's name is expected."));
                m_at += name.size();
                term.path.push_back({JsonStep::Kind::Member, name.toUtf8(), 0});
            } else {
                ++m_at;
                parseStep(term.path);
                closeBracket();
            }
        }
    }

    void parseStep(JsonPath &path)
    {
        if (!atEnd() && (isQuote(peek()) || isBytes())) {
            path.push_back({JsonStep::Kind::Member, parseBytes(), 0});
            return;
        }
        const QStringView word = peekWord();
        if (word == u"*") {
            path.push_back({JsonStep::Kind::AnyElement, {}, 0});
        } else if (const auto index = wholeNumber(word)) {
            path.push_back({JsonStep::Kind::Element, {}, *index});
        } else {
            failHere(tr("An index, * or a member's name in quotation marks is expected."));
            return;
        }
        m_at += word.size();
    }

    // ------------------------------------------------------------------------------ operators

    bool startsOperator() const { return u"=!<>~["_s.contains(peek()); }

    void parseTest(Term &term)
    {
        const QString expected =
            tr("An operator is expected behind this field: ==, !=, contains, =~ …; to look for the "
               "word itself, put it in quotation marks.");
        if (atEnd()) {
            fail(m_at, 0, expected);
            return;
        }
        const qsizetype at = m_at;
        const auto sign =
            std::ranges::find_if(kSigns, [&](const Operator &each) { return take(each.text); });
        if (sign != kSigns.end())
            term.test = sign->test;
        else if (!parseWordTest(term))
            failHere(expected);
        if (!failed() && !isAllowed(term)) {
            fail(at, m_at - at, tr("A comparison is expected: ==, !=, <, <=, > or >=."));
        }
    }

    bool parseWordTest(Term &term)
    {
        if (takeWord(QLatin1StringView("is"))) {
            atEnd();
            term.test = Test::IsNull;
            if (takeWord(QLatin1StringView("empty")))
                term.test = Test::IsEmpty;
            else if (!takeWord(QLatin1StringView("null")))
                failHere(tr("'null' or 'empty' is expected behind 'is'."));
            return true;
        }
        for (const Operator &each : kWords) {
            if (takeWord(each.text)) {
                term.test = each.test;
                return true;
            }
        }
        return false;
    }

    static bool isAllowed(const Term &term)
    {
        if (!isNumeric(term.subject))
            return true;
        if (term.test == Test::IsNull || term.test == Test::Exists)
            return term.subject == Subject::Time;
        return term.test == Test::Equal || term.test == Test::NotEqual || isOrder(term.test);
    }

    // ------------------------------------------------------------------------------ operands

    void parseOperand(Term &term)
    {
        if (term.test == Test::IsNull || term.test == Test::IsEmpty || term.test == Test::Exists)
            return;
        if (atEnd()) {
            fail(m_at, 0, tr("Something to compare with is expected."));
        } else if (term.test == Test::Matches) {
            parsePattern(term);
        } else if (isNumeric(term.subject)) {
            term.operand = Term::Operand::Integer;
            if (term.subject == Subject::Time)
                parseTimeOperand(term);
            else
                parseInteger(term);
        } else if (isJson(term.subject) && !isQuote(peek()) && !isBytes()) {
            parseJsonLiteral(term);
        } else {
            parseBytesOperand(term);
        }
    }

    void parseBytesOperand(Term &term)
    {
        const qsizetype begin = m_at;
        const QStringView word = peekWord();
        term.operand = Term::Operand::Text;
        if (isQuote(peek()) || isBytes()) {
            term.bytes = parseBytes();
        } else if (word.isEmpty() || isReservedWord(word) || word == u"null") {
            failHere(tr("A text in quotation marks is expected, bytes like x\"00ff\", or 'is null' "
                        "in place of the operator."));
        } else {
            term.bytes = word.toUtf8();
            m_at += word.size();
        }
        const bool any =
            term.test == Test::Equal || term.test == Test::NotEqual || isOrder(term.test);
        if (!failed() && term.bytes.isEmpty() && !any)
            fail(begin, m_at - begin, tr("A text of one character at least is expected."));
        if (term.test == Test::ContainsFolded)
            term.folded = FoldedNeedle(term.bytes);
    }

    void parseJsonLiteral(Term &term)
    {
        const QStringView word = peekWord();
        const bool comparison = term.test == Test::Equal || term.test == Test::NotEqual;
        if (comparison && word == u"true") {
            term.operand = Term::Operand::True;
        } else if (comparison && word == u"false") {
            term.operand = Term::Operand::False;
        } else if (comparison && word == u"null") {
            term.operand = Term::Operand::Null;
        } else {
            term.operand = Term::Operand::JsonNumber;
            term.bytes = word.toUtf8();
            const auto number = Decimal::parse({term.bytes.constData(), size_t(term.bytes.size())});
            if (!comparison && !isOrder(term.test)) {
                failHere(tr("A text in quotation marks is expected."));
            } else if (!number) {
                failHere(comparison ? tr("A number, a text in quotation marks, true, false or null "
                                         "is expected.")
                                    : tr("A number or a text in quotation marks is expected."));
            } else if (std::abs(number->magnitude()) > kMaxExponent) {
                failHere(tr("The exponent is too large."));
            }
        }
        m_at += word.size();
    }

    static std::optional<qint64> wholeNumber(QStringView word)
    {
        const bool digits = !word.isEmpty() && std::ranges::all_of(word, [](QChar c) {
            return c >= u'0' && c <= u'9';
        });
        bool ok = false;
        const qint64 number = word.toLongLong(&ok);
        return digits && ok ? std::optional(number) : std::nullopt;
    }

    /// 5, and for sizes 5 KiB, 5KiB
    void parseInteger(Term &term)
    {
        const qsizetype begin = m_at;
        const QStringView word = peekWord();
        const bool hasUnit = term.subject == Subject::Size;
        qsizetype digits = 0;
        while (digits < word.size() && word[digits] >= u'0' && word[digits] <= u'9')
            ++digits;
        const auto number = wholeNumber(word.first(digits));
        if (!number || (!hasUnit && digits < word.size())) {
            failHere(hasUnit ? tr("A whole number is expected, with B, kB, MB, GB, KiB, MiB or GiB "
                                  "behind it if wanted.")
                             : tr("A whole number is expected."));
            return;
        }
        m_at += digits;
        term.integer = *number;
        if (hasUnit)
            parseUnit(term, begin);
    }

    void parseUnit(Term &term, qsizetype begin)
    {
        const qsizetype digitsEnd = m_at;
        const bool behindBlank = !atEnd() && m_at > digitsEnd;
        const auto unit =
            std::ranges::find_if(kUnits, [&](const Unit &each) { return peekWord() == each.name; });
        if (unit == kUnits.end()) {
            const QStringView word = peekWord();
            const bool likeOne = word.size() <= 3 && word.endsWith(u'b', Qt::CaseInsensitive);
            if (!word.isEmpty() && (!behindBlank || likeOne))
                failHere(tr("A unit is expected: B, kB, MB, GB, KiB, MiB or GiB."));
            m_at = digitsEnd;
            return;
        }
        m_at += unit->name.size();
        if (term.integer > std::numeric_limits<qint64>::max() / unit->bytes)
            fail(begin, m_at - begin, tr("A size of at most 2⁶³ − 1 bytes is expected."));
        else
            term.integer *= unit->bytes;
    }

    void parseTimeOperand(Term &term)
    {
        const qsizetype begin = m_at;
        QString text;
        if (isQuote(peek())) {
            text = QString::fromUtf8(parseBytes());
        } else {
            text = peekWord().toString();
            m_at += text.size();
        }
        auto time = wholeNumber(text);
        if (!time)
            time = parseTime(text.startsWith(u'@') ? text.sliced(1) : text, m_nowMs);
        if (time) {
            term.integer = *time;
            return;
        }
        fail(begin, std::max<qsizetype>(1, m_at - begin),
             tr("A time is expected: 2026-11-30T14:05 (or with Z, +01:00), 14:05, @-1h, or ms "
                "since 1970."));
    }

    /// /pattern/flags
    void parsePattern(Term &term)
    {
        const qsizetype begin = m_at;
        if (peek() != u'/') {
            failHere(tr("A regular expression between slashes is expected: /…/"));
            return;
        }
        QString text;
        for (++m_at; m_at < m_text.size() && m_text[m_at] != u'/'; ++m_at) {
            if (m_text[m_at] == u'\\' && m_at + 1 < m_text.size())
                text += m_text[m_at++];
            text += m_text[m_at];
        }
        if (m_at == m_text.size()) {
            fail(begin, m_at - begin, tr("A closing slash is expected."));
            return;
        }
        ++m_at;
        const QString flags = peekWord().toString();
        m_at += flags.size();
        auto pattern = compilePattern(text, flags);
        if (const auto *error = std::get_if<SyntaxError>(&pattern))
            fail(begin + 1 + error->column, error->length, error->expected);
        else
            term.pattern = std::get<Pattern>(std::move(pattern));
    }

    // ------------------------------------------------------------------------------ the whole

    static bool needsItsBytes(const Term &term)
    {
        const bool literal = term.test == Test::Contains || term.test == Test::Equal ||
                             term.test == Test::Starts || term.test == Test::Ends;
        const bool raw = term.subject == Subject::Anywhere || term.subject == Subject::Key ||
                         term.subject == Subject::Value || term.subject == Subject::Header;
        return literal && raw && !term.bytes.isEmpty();
    }

    /// The longest of the literals that stand in every record that matches.
    void findRequired()
    {
        const Node &root = m_expression.nodes[m_expression.root];
        std::vector<size_t> nodes = root.children;
        if (root.kind == Node::Kind::Term)
            nodes = {m_expression.root};
        else if (root.kind != Node::Kind::And)
            return;
        for (const size_t index : nodes) {
            const Node &node = m_expression.nodes[index];
            if (node.kind != Node::Kind::Term || !needsItsBytes(m_expression.terms[node.term]))
                continue;
            const auto size = [&](size_t term) { return m_expression.terms[term].bytes.size(); };
            if (!m_expression.required || size(node.term) > size(*m_expression.required))
                m_expression.required = node.term;
        }
    }

    qint64 m_nowMs;
    int m_depth = 0;
    Expression m_expression;
};

} // namespace

std::variant<Expression, SyntaxError> parseExpression(const QString &text, qint64 nowMs)
{
    return Parser(text, nowMs).run();
}

bool isReservedWord(QStringView word)
{
    const auto is = [&](QLatin1StringView other) {
        return word.compare(other, Qt::CaseInsensitive) == 0;
    };
    return is(QLatin1StringView("and")) || is(QLatin1StringView("or")) ||
           is(QLatin1StringView("not")) ||
           std::ranges::any_of(kFields, [&](const Field &f) { return word == f.name; }) ||
           std::ranges::any_of(kWords, [&](const Operator &o) { return is(o.text); });
}

} // namespace topicscope::search
