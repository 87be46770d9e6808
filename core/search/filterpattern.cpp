#include "core/search/filterpattern.h"

#include "core/records/payloadformat.h"

#include <QCoreApplication>

#include <algorithm>

namespace topicscope::search
{

using namespace Qt::StringLiterals;

namespace
{

/// Longer texts are matched by the slower, exactly bounded way.
constexpr qsizetype kFastChars = 4096;
/// What one record may cost a regular expression; a try of one character is a step at least.
constexpr int kFastSteps = 200'000;
constexpr int kCarefulSteps = 4'000'000;
constexpr int kCarefulMemoryKiB = 64 * 1024;

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
    Pattern pattern{text, flags, bounded({}, kFastSteps, text, options),
                    bounded(u"(*NO_JIT)(*NO_AUTO_POSSESS)(*LIMIT_HEAP=%1)"_s.arg(kCarefulMemoryKiB),
                            kCarefulSteps, text, options)};
    if (!pattern.fast.isValid() || !pattern.careful.isValid()) {
        return SyntaxError{
            0, text.size(),
            tr("This regular expression cannot be bounded: %1.").arg(pattern.fast.errorString())};
    }
    return pattern;
}

Verdict matchPattern(const Pattern &pattern, Bytes bytes)
{
    const QString text = utf8Text(bytes);
    const QRegularExpression &expression =
        text.size() <= kFastChars ? pattern.fast : pattern.careful;
    const auto match = expression.match(text, 0, QRegularExpression::NormalMatch,
                                        QRegularExpression::DontCheckSubjectStringMatchOption);
    if (!match.isValid())
        return Verdict::Undecided;
    return match.hasMatch() ? Verdict::Yes : Verdict::No;
}

} // namespace topicscope::search
