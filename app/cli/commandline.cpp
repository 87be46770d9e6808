#include "app/cli/commandline.h"

#include <algorithm>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

Error usage(const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, why);
}

} // namespace

Result<CommandLine> CommandLine::parse(const QStringList &arguments, const QList<Option> &options)
{
    CommandLine line;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString &argument = arguments[i];
        if (argument == u"--"_s) {
            line.m_positional += arguments.sliced(i + 1);
            break;
        }
        if (!argument.startsWith(u'-') || argument == u"-"_s) {
            line.m_positional += argument;
            continue;
        }
        const bool isLong = argument.startsWith(u"--"_s);
        const qsizetype equals = isLong ? argument.indexOf(u'=') : -1;
        const QString shown = equals < 0 ? argument : argument.first(equals);
        const auto option = std::find_if(options.begin(), options.end(), [&](const Option &o) {
            return isLong ? shown == u"--"_s + o.name
                          : !o.letter.isNull() && shown == u"-"_s + o.letter;
        });
        if (option == options.end())
            return usage(u"unknown option %1"_s.arg(shown));
        if (line.has(option->name) && !option->repeatable)
            return usage(u"%1 is given twice"_s.arg(shown));
        QString value;
        if (option->valueName.isEmpty()) {
            if (equals >= 0)
                return usage(u"%1 takes no value"_s.arg(shown));
        } else if (equals >= 0) {
            value = argument.sliced(equals + 1);
        } else if (i + 1 < arguments.size()) {
            value = arguments[++i];
        } else {
            return usage(u"%1 needs a value: %1 %2"_s.arg(shown, option->valueName));
        }
        line.m_values[option->name] += value;
    }
    return line;
}

CommandLine CommandLine::raw(const QStringList &arguments)
{
    CommandLine line;
    line.m_positional = arguments;
    return line;
}

std::optional<QString> CommandLine::value(const QString &name) const
{
    const auto found = m_values.constFind(name);
    return found == m_values.constEnd() ? std::nullopt : std::optional(found->constFirst());
}

Result<qint64> CommandLine::number(const QString &name, qint64 fallback, qint64 min,
                                   qint64 max) const
{
    const auto text = value(name);
    if (!text)
        return fallback;
    if (const auto number = parseNumber(*text, min, max))
        return *number;
    const QString range = max == std::numeric_limits<qint64>::max()
                              ? u"from %1 on"_s.arg(min)
                              : u"from %1 to %2"_s.arg(min).arg(max);
    return usage(u"--%1 needs a whole number %2, not '%3'"_s.arg(name, range, *text));
}

std::optional<qint64> parseNumber(QStringView text, qint64 min, qint64 max)
{
    const QStringView digits = text.startsWith(u'-') ? text.sliced(1) : text;
    const bool allDigits =
        std::all_of(digits.begin(), digits.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    bool ok = false;
    const qint64 number = text.toLongLong(&ok);
    if (digits.isEmpty() || !allDigits || !ok || number < min || number > max)
        return std::nullopt;
    return number;
}

} // namespace topicscope::cli
