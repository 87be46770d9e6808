#include "app/cli/command.h"
#include "app/cli/command_conformance.h"
#include "app/cli/command_doctor.h"
#include "app/cli/command_export.h"
#include "app/cli/command_fetch.h"
#include "app/cli/command_follow.h"
#include "app/cli/command_groups.h"
#include "app/cli/command_hash.h"
#include "app/cli/command_partitions.h"
#include "app/cli/command_publish.h"
#include "app/cli/command_search.h"
#include "app/cli/command_serve.h"
#include "app/cli/command_topics.h"
#include "app/cli/errorlines.h"
#include "app/cli/output.h"
#include "core/base/bytewriter.h"
#include "core/profiles/propertycatalog.h"
#include "core/records/payloadformat.h"
#include "core/records/timestyle.h"
#include "core/sessionfactory.h"

#include <QCoreApplication>

#include <algorithm>

using namespace topicscope;
using namespace topicscope::cli;
using namespace Qt::StringLiterals;

namespace
{

QList<Command> allCommands()
{
    return {topicsCommand(), partitionsCommand(), fetchCommand(),  followCommand(),
            searchCommand(), exportCommand(),     groupsCommand(), publishCommand(),
            hashCommand(),   serveCommand(),      doctorCommand(), conformanceCommand()};
}

QString generalHelp(const QList<Command> &commands)
{
    QString verbs;
    for (const Command &command : commands)
        verbs += u"  %1 %2\n"_s.arg(command.verb, -11).arg(command.summary);
    return u"Looks into log-structured brokers and publishes records by hand.\n"
           u"\n"
           u"Usage: topicscope-cli VERB [OPTION...] [ARGUMENT...]\n"
           u"       topicscope-cli VERB --help\n"
           u"       topicscope-cli --version\n"
           u"\n"
           u"Verbs:\n%1"
           u"\n"
           u"Exit codes:\n"
           u"  0    done; also when the reader of a pipe went away\n"
           u"  1    failed: the reason is on standard error\n"
           u"  2    the command line is wrong; nothing was done\n"
           u"  3    publish: sent, but no answer came, so the outcome is unknown\n"
           u"  4    fetch, follow: done, but a record is damaged, missing or was too large to "
           u"show;\n"
           u"       export: the same, and noted in the file;\n"
           u"       search: done, but not all could be searched, or a hit is damaged;\n"
           u"       groups: a partition's offset or end is not known\n"
           u"  130  ended by Ctrl-C or SIGTERM; what was read before has been printed\n"_s.arg(
               verbs);
}

/// The program's version, and what the library behind Apache Kafka is and lacks.
QString versionText()
{
    QString text = u"topicscope-cli " TOPICSCOPE_VERSION "\n"_s;
    const PropertyCatalog *library = kafkaPropertyCatalog();
    if (!library)
        return text + u"without Apache Kafka\n"_s;
    text += library->library() + u'\n';
    for (const QString &missing : library->missingFeatures())
        text += u"  not in it: "_s + missing + u'\n';
    return text;
}

/// Text from the command line reaches us decoded; bytes that are no UTF-8 would change on the way.
bool argumentsAreUtf8(int argc, char **argv)
{
    return std::all_of(argv + 1, argv + argc,
                       [](const char *argument) { return isValidUtf8(asBytes(argument)); });
}

int run(const QStringList &arguments)
{
    const QList<Command> commands = allCommands();
    const QString verb = arguments.value(1);
    if (verb == u"--help"_s || verb == u"-h"_s || verb == u"help"_s)
        return printText(generalHelp(commands));
    if (verb == u"--version"_s)
        return printText(versionText());
    if (verb.isEmpty())
        return usageError({}, u"no verb given"_s);
    const auto command = std::find_if(commands.begin(), commands.end(),
                                      [&](const Command &c) { return c.verb == verb; });
    if (command == commands.end())
        return usageError({}, u"unknown verb '%1'"_s.arg(verb));

    const QStringList rest = arguments.sliced(2);
    if (command->rawArguments) {
        return rest.value(0) == u"--help"_s ? printText(helpText(*command))
                                            : command->run(CommandLine::raw(rest));
    }
    const QList<Option> options =
        command->options + QList<Option>{{u"help"_s, {}, u"print this help"_s, u'h'}};
    const Result<CommandLine> line = CommandLine::parse(rest, options);
    if (!line)
        return usageError(verb, line.error().detail);
    if (const auto zone = line->value(u"time-zone"_s)) {
        const auto style = TimeStyle::named(*zone);
        if (!style)
            return usageError(verb, u"this machine knows no time zone '%1'"_s.arg(*zone));
        TimeStyle::setCurrent(*style);
    }
    return line->has(u"help"_s) ? printText(helpText(*command)) : command->run(*line);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    QCoreApplication::setApplicationName(u"topicscope-cli"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(TOPICSCOPE_VERSION));
    if (!argumentsAreUtf8(argc, argv)) {
        return usageError({}, u"an argument is not UTF-8 and would change on the way; give bytes "
                              u"with --key-hex, --value-hex, --key-file or --value-file"_s);
    }
    return run(QCoreApplication::arguments());
}
