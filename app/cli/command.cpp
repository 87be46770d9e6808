#include "app/cli/command.h"

#include "app/cli/errorlines.h"

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

QString helpText(const Command &command)
{
    QString text = u"%1\n\nUsage: topicscope-cli %2"_s.arg(command.summary, command.verb);
    if (!command.options.isEmpty())
        text += u" [OPTION...]"_s;
    if (!command.arguments.isEmpty())
        text += u' ' + command.arguments;
    text += u"\n"_s;
    if (!command.options.isEmpty())
        text += u"\nOptions:\n"_s;
    for (const Option &option : command.options) {
        QString left = option.letter.isNull() ? u"      --"_s : u"  -%1, --"_s.arg(option.letter);
        left += option.name;
        if (!option.valueName.isEmpty())
            left += u' ' + option.valueName;
        // A help text of several lines goes on below its first one.
        QString help = option.help;
        help.replace(u'\n', u'\n' + QString(30, u' '));
        text += u"%1 %2\n"_s.arg(left, -29).arg(help);
    }
    if (!command.details.isEmpty())
        text += u'\n' + command.details;
    return text;
}

int usageError(const QString &verb, const QString &why)
{
    const QString of = verb.isEmpty() ? QString() : verb + u' ';
    printError(u"%1\nTry 'topicscope-cli %2--help'."_s.arg(why, of));
    return ExitUsage;
}

} // namespace topicscope::cli
