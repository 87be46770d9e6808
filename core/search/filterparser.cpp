#include "core/search/filterparser.h"

#include "core/search/filteroperand.h"
#include "core/search/filterwords.h"

#include <algorithm>

namespace topicscope::search
{

using namespace Qt::StringLiterals;

namespace
{

constexpr size_t kMaxPathSteps = 64;

bool needsItsBytes(const Term &term)
{
    const bool literal = term.test == Test::Contains || term.test == Test::Equal ||
                         term.test == Test::Starts || term.test == Test::Ends;
    const bool raw = term.subject == Subject::Anywhere || term.subject == Subject::Key ||
                     term.subject == Subject::Value || term.subject == Subject::Header;
    return literal && raw && !term.bytes.isEmpty();
}

/// The longest of the literals that stand in every record that matches.
std::optional<size_t> requiredTerm(const Expression &expression)
{
    const Node &root = expression.nodes[expression.root];
    std::vector<size_t> nodes = root.children;
    std::optional<size_t> required;
    if (root.kind == Node::Kind::Term)
        nodes = {expression.root};
    else if (root.kind != Node::Kind::And)
        return std::nullopt;
    for (const size_t index : nodes) {
        const Node &node = expression.nodes[index];
        if (node.kind != Node::Kind::Term || !needsItsBytes(expression.terms[node.term]))
            continue;
        const auto size = [&](size_t term) { return expression.terms[term].bytes.size(); };
        if (!required || size(node.term) > size(*required))
            required = node.term;
    }
    return required;
}

/// Reads one text. Every parse…() leaves the position behind what it took, or sets the error.
class Parser : private FilterOperandReader
{
public:
    Parser(const QString &text, qint64 nowMs)
        : FilterOperandReader(text, nowMs)
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
        m_expression.required = requiredTerm(m_expression);
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

    int m_depth = 0;
    Expression m_expression;
};

} // namespace

std::variant<Expression, SyntaxError> parseExpression(const QString &text, qint64 nowMs)
{
    return Parser(text, nowMs).run();
}

} // namespace topicscope::search
