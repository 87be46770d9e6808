#include "core/base/bytewriter.h"
#include "core/records/payloadformat.h"
#include "core/records/timestyle.h"
#include "core/search/filter.h"
#include "core/search/filterexpression.h"

#include <QRegularExpression>

#include <algorithm>

namespace topicscope::search
{

using namespace Qt::StringLiterals;

namespace
{

/// In quotes where all of it can be read, else in hex.
QString literal(std::span<const std::byte> bytes)
{
    const QString text = utf8Text(bytes);
    const auto readable = [](QChar c) {
        return c == u'\n' || c == u'\r' || c == u'\t' || c.isPrint() || c.isSurrogate();
    };
    if (!isValidUtf8(bytes) || !std::ranges::all_of(text, readable))
        return u"x\"%1\""_s.arg(hexString(bytes));
    QString out = u"\""_s;
    for (const QChar c : text) {
        const qsizetype escaped = QStringView(u"\"\\\n\r\t").indexOf(c);
        if (escaped >= 0) {
            out += u'\\';
            out += QStringView(u"\"\\nrt")[escaped];
        } else {
            out += c;
        }
    }
    return out + u'"';
}

QString timeLiteral(qint64 timeMs)
{
    if (!isInCalendar(timeMs))
        return QString::number(timeMs);
    return TimeStyle().text(timeMs).replace(u' ', u'T'); // UTC: the same wherever it is read
}

QString pathText(const JsonPath &path)
{
    QString text;
    for (const JsonStep &step : path) {
        switch (step.kind) {
        case JsonStep::Kind::Member: {
            const QString name = utf8Text(asBytes(step.name));
            const bool plain = !name.isEmpty() && std::ranges::all_of(name, [](QChar c) {
                return c.isLetterOrNumber() || c == u'_' || c == u'-';
            });
            text += plain ? u'.' + name : u"[%1]"_s.arg(literal(asBytes(step.name)));
            break;
        }
        case JsonStep::Kind::Element:
            text += u"[%1]"_s.arg(step.index);
            break;
        case JsonStep::Kind::AnyElement:
            text += u"[*]"_s;
            break;
        }
    }
    return text;
}

QString subjectText(const Term &term)
{
    switch (term.subject) {
    case Subject::Anywhere:
    case Subject::Flag:
        break;
    case Subject::Key:
        return u"key"_s;
    case Subject::Value:
        return u"value"_s;
    case Subject::Header:
        return u"header[%1]"_s.arg(literal(asBytes(term.header)));
    case Subject::Json:
        return u"json"_s + pathText(term.path);
    case Subject::KeyJson:
        return u"key.json"_s + pathText(term.path);
    case Subject::Size:
        return u"size"_s;
    case Subject::Offset:
        return u"offset"_s;
    case Subject::Partition:
        return u"partition"_s;
    case Subject::Time:
        return u"time"_s;
    }
    return {};
}

QString testText(Test test)
{
    switch (test) {
    case Test::Equal:
        return u"=="_s;
    case Test::NotEqual:
        return u"!="_s;
    case Test::Less:
        return u"<"_s;
    case Test::LessOrEqual:
        return u"<="_s;
    case Test::Greater:
        return u">"_s;
    case Test::GreaterOrEqual:
        return u">="_s;
    case Test::Contains:
        return u"contains"_s;
    case Test::ContainsFolded:
        return u"icontains"_s;
    case Test::Starts:
        return u"starts"_s;
    case Test::Ends:
        return u"ends"_s;
    case Test::Matches:
        return u"=~"_s;
    case Test::IsNull:
        return u"is null"_s;
    case Test::IsEmpty:
        return u"is empty"_s;
    case Test::Exists:
        return u"exists"_s;
    }
    return {};
}

QString operandText(const Term &term)
{
    if (term.test == Test::Matches)
        return u" /%1/%2"_s.arg(term.pattern.text, term.pattern.flags);
    switch (term.operand) {
    case Term::Operand::None:
        return {};
    case Term::Operand::Text:
        return u' ' + literal(asBytes(term.bytes));
    case Term::Operand::JsonNumber:
        return u' ' + QString::fromLatin1(term.bytes);
    case Term::Operand::True:
        return u" true"_s;
    case Term::Operand::False:
        return u" false"_s;
    case Term::Operand::Null:
        return u" null"_s;
    case Term::Operand::Integer:
        break;
    }
    return u' ' + (term.subject == Subject::Time ? timeLiteral(term.integer)
                                                 : QString::number(term.integer));
}

QString termText(const Term &term)
{
    if (term.subject == Subject::Anywhere)
        return literal(asBytes(term.bytes));
    if (term.subject == Subject::Flag) {
        const auto name = std::ranges::find(kFlagNames, term.flag, &FlagName::flag);
        return u"flag:"_s + QLatin1StringView(name->name);
    }
    return subjectText(term) + u' ' + testText(term.test) + operandText(term);
}

/// No deeper than the parser lets brackets be.
QString nodeText(const Expression &expression, size_t index)
{
    const Node &node = expression.nodes[index];
    if (node.kind == Node::Kind::Term)
        return termText(expression.terms[node.term]);
    QStringList parts;
    for (const size_t child : node.children) {
        const Node::Kind kind = expression.nodes[child].kind;
        const bool brackets = kind == Node::Kind::Or || kind == Node::Kind::And;
        // "and" binds closer than "or"
        const bool needed = brackets && (node.kind != Node::Kind::Or || kind == Node::Kind::Or);
        const QString text = nodeText(expression, child);
        parts += needed ? u"(%1)"_s.arg(text) : text;
    }
    switch (node.kind) {
    case Node::Kind::Not:
        return u"not "_s + parts.constFirst();
    case Node::Kind::And:
        return parts.join(u" and "_s);
    default:
        return parts.join(u" or "_s);
    }
}

std::optional<QString> withinLimit(QString text)
{
    return text.size() <= kMaxFilterChars ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<QString> equalTo(const QString &field, const CellBytes &bytes)
{
    if (!bytes)
        return field + u" is null"_s;
    if (bytes->size() > size_t(kMaxFilterChars))
        return std::nullopt;
    return withinLimit(field + u" == "_s + literal(*bytes));
}

} // namespace

QString Filter::text() const
{
    return nodeText(*m_expression, m_expression->root);
}

std::optional<QString> filterForText(const QString &text)
{
    const QByteArray bytes = text.toUtf8();
    return bytes.isEmpty() ? std::nullopt : withinLimit(literal(asBytes(bytes)));
}

std::optional<QString> filterForKey(const CellBytes &key)
{
    return equalTo(u"key"_s, key);
}

std::optional<QString> filterForValue(const CellBytes &value)
{
    return equalTo(u"value"_s, value);
}

std::optional<QString> filterForHeader(std::span<const std::byte> name, const CellBytes &value)
{
    if (name.size() > size_t(kMaxFilterChars))
        return std::nullopt;
    return equalTo(u"header[%1]"_s.arg(literal(name)), value);
}

QString filterForNumber(const QString &field, qint64 number)
{
    return u"%1 == %2"_s.arg(field).arg(number);
}

QString filterForTime(std::optional<qint64> timestampMs)
{
    return timestampMs ? u"time == "_s + timeLiteral(*timestampMs) : u"time is null"_s;
}

QString filterOut(const QString &filter)
{
    return u"not (%1)"_s.arg(filter);
}

QString filterBoth(const QString &left, const QString &right)
{
    const auto inBrackets = [](const QString &text) {
        // Needed where there is an "or" alone; one in a text does no harm.
        static const QRegularExpression either(u"\\bor\\b"_s,
                                               QRegularExpression::CaseInsensitiveOption);
        return text.contains(either) ? u"(%1)"_s.arg(text) : text;
    };
    return u"%1 and %2"_s.arg(inBrackets(left), inBrackets(right));
}

} // namespace topicscope::search
