#include "core/search/filteroperand.h"

#include "core/records/timeinput.h"
#include "core/search/filterpattern.h"
#include "core/search/filterwords.h"

#include <algorithm>
#include <limits>

namespace topicscope::search
{

using namespace Qt::StringLiterals;

namespace
{

/// A literal's exponent; every number beyond is larger, or smaller, than any literal.
constexpr qint64 kMaxExponent = 1'000'000'000;

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

} // namespace

void FilterOperandReader::parseOperand(Term &term)
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

void FilterOperandReader::parseBytesOperand(Term &term)
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
    const bool any = term.test == Test::Equal || term.test == Test::NotEqual || isOrder(term.test);
    if (!failed() && term.bytes.isEmpty() && !any)
        fail(begin, m_at - begin, tr("A text of one character at least is expected."));
    if (term.test == Test::ContainsFolded)
        term.folded = FoldedNeedle(term.bytes);
}

void FilterOperandReader::parseJsonLiteral(Term &term)
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
        } else {
            term.number = *number;
        }
    }
    m_at += word.size();
}

/// 5, and for sizes 5 KiB, 5KiB
void FilterOperandReader::parseInteger(Term &term)
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

void FilterOperandReader::parseUnit(Term &term, qsizetype begin)
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

void FilterOperandReader::parseTimeOperand(Term &term)
{
    const qsizetype begin = m_at;
    QString text;
    if (isQuote(peek())) {
        text = QString::fromUtf8(parseBytes());
    } else {
        text = peekWord().toString();
        m_at += text.size();
    }
    auto time = integer(text);
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
void FilterOperandReader::parsePattern(Term &term)
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

std::optional<qint64> FilterOperandReader::integer(QStringView word)
{
    const QStringView digits = word.startsWith(u'-') ? word.sliced(1) : word;
    const bool areDigits = !digits.isEmpty() && std::ranges::all_of(digits, [](QChar c) {
        return c >= u'0' && c <= u'9';
    });
    bool ok = false;
    const qint64 number = word.toLongLong(&ok);
    return areDigits && ok ? std::optional(number) : std::nullopt;
}

std::optional<qint64> FilterOperandReader::wholeNumber(QStringView word)
{
    return word.startsWith(u'-') ? std::nullopt : integer(word);
}

} // namespace topicscope::search
