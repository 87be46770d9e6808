#include "core/search/filterpattern.h"

#include "core/records/payloadformat.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <limits>

namespace topicscope::search
{

using namespace Qt::StringLiterals;

namespace
{

/// What a text may cost a regular expression, by its length; a try of one character is a step at
/// least. Many short texts in one record are so many times the least of these. The longest are
/// matched by the slower, exactly bounded way.
struct Limit {
    size_t bytes; ///< of texts up to this size
    int steps;
    int slowness; ///< what a step costs
};
constexpr std::array<Limit, 4> kLimits{{
    {64, 10'000, 1},
    {512, 50'000, 1},
    {4096, 200'000, 1},
    {std::numeric_limits<size_t>::max(), 4'000'000, 4},
}};
constexpr int kCarefulMemoryKiB = 64 * 1024;

size_t limitFor(Bytes bytes)
{
    return size_t(std::ranges::lower_bound(kLimits, bytes.size(), {}, &Limit::bytes) -
                  kLimits.begin());
}

QString tr(const char *text)
{
    return QCoreApplication::translate("Filter", text);
}

/// Looking for existence alone needs no match's place: all starts are tried inside of one attempt,
/// so that the limit counts them together. The library's own loop would begin counting anew at
/// each.
QRegularExpression bounded(const QString &verbs, int steps, const QString &pattern,
                           QRegularExpression::PatternOptions options)
{
    QRegularExpression expression(
        u"%1(*LIMIT_MATCH=%2)\\A(?s:.*?)(?:%3)"_s.arg(verbs, QString::number(steps), pattern),
        options);
    expression.optimize();
    return expression;
}

} // namespace

std::variant<Pattern, SyntaxError> compilePattern(const QString &text, const QString &flags)
{
    QRegularExpression::PatternOptions options;
    for (const QChar flag : flags) {
        if (flag == u'i')
            options |= QRegularExpression::CaseInsensitiveOption;
        else if (flag == u'm')
            options |= QRegularExpression::MultilineOption;
        else if (flag == u's')
            options |= QRegularExpression::DotMatchesEverythingOption;
        else
            return SyntaxError{text.size() + 1, flags.size(),
                               tr("i, m or s is expected behind the slash.")};
    }
    // Alone first: a bracket too many must not close one of ours.
    const QRegularExpression alone(text, options);
    if (!alone.isValid()) {
        return SyntaxError{
            std::min(alone.patternErrorOffset(), text.size()), 1,
            tr("The regular expression is not complete: %1.").arg(alone.errorString())};
    }
    Pattern pattern{text, flags, {}};
    for (const Limit &limit : kLimits) {
        const QString verbs =
            limit.slowness == 1
                ? QString()
                : u"(*NO_JIT)(*NO_AUTO_POSSESS)(*LIMIT_HEAP=%1)"_s.arg(kCarefulMemoryKiB);
        const QRegularExpression one = bounded(verbs, limit.steps, text, options);
        if (!one.isValid()) {
            return SyntaxError{
                0, text.size(),
                tr("This regular expression cannot be bounded: %1.").arg(one.errorString())};
        }
        pattern.byLength.push_back(one);
    }
    return pattern;
}

qint64 patternCost(Bytes bytes)
{
    const Limit &limit = kLimits[limitFor(bytes)];
    return qint64(limit.steps) * limit.slowness;
}

Verdict matchPattern(const Pattern &pattern, Bytes bytes)
{
    const QString text = utf8Text(bytes);
    const auto match = pattern.byLength[limitFor(bytes)].match(
        text, 0, QRegularExpression::NormalMatch,
        QRegularExpression::DontCheckSubjectStringMatchOption);
    if (!match.isValid())
        return Verdict::Undecided;
    return match.hasMatch() ? Verdict::Yes : Verdict::No;
}

} // namespace topicscope::search
