#include "app/cli/command_fetch.h"

#include "app/cli/client.h"
#include "app/cli/readoptions.h"
#include "app/cli/recordprinter.h"

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

QString nothingToRead(const Target &target, Offset from)
{
    const QString name = nameOf(target.partition);
    const QString where =
        target.logStart == target.end ? QString() : u" from offset %1 on"_s.arg(from.value);
    return u"%1: no records%2: the log is %3..%4"_s.arg(name, where)
        .arg(target.logStart.value)
        .arg(target.end.value);
}

QString heldBack(const Target &target, Offset lastStable)
{
    return u"%1/%2: an open transaction hides %3 offsets since offset %4 (last stable offset)"_s
        .arg(target.partition.topic)
        .arg(target.partition.partition.value)
        .arg(target.end - lastStable)
        .arg(lastStable.value);
}

/// Prints one partition's records from `position` to the end it had when we looked.
/// @return an ExitCode
int fetchPartition(Client &client, const Target &target, const ReadArguments &arguments,
                   RecordPrinter &printer)
{
    Offset position = target.begin;
    if (position == target.end && arguments.format == RecordPrinter::Format::Columns)
        client.note(nothingToRead(target, position));
    qint64 left = arguments.count;
    // A position beyond the end is asked for all the same: the broker's refusal is the answer.
    while (left > 0 && position != target.end && client.out().ok()) {
        FetchRequest request{target.partition, position, arguments.maxBytes};
        request.isolation = arguments.isolation;
        const auto result = client.session().fetch(request, client.call());
        if (!result)
            return client.fail(result.error());
        const auto wanted = [&](Offset offset) { return left > 0 && offset < target.end; };
        forEachRow(
            *result,
            [&](const Record &record) {
                if (!wanted(record.offset))
                    return false;
                if (!printer.wants(*result->chunk, record))
                    return true;
                printer.record(*result->chunk, record);
                --left;
                return true;
            },
            [&](const OffsetGap &gap) {
                if (wanted(gap.first))
                    printer.gap(target.partition, gap);
                return wanted(gap.first);
            });
        position = result->nextOffset;
        if (left == 0 || position >= target.end)
            return ExitOk;
        printer.end(*result);
        if (result->end == FetchEnd::RecordExceedsMaxBytes ||
            result->end == FetchEnd::ImpossibleSize) {
            position = position + 1; // one bad record does not hide the others
            --left;
        } else if (result->end != FetchEnd::More) {
            if (result->lastStableOffset && *result->lastStableOffset < target.end)
                client.note(heldBack(target, *result->lastStableOffset));
            return ExitOk;
        }
    }
    return ExitOk;
}

int fetchAll(Client &client, const ReadArguments &arguments, const QList<Target> &targets,
             RecordPrinter &printer)
{
    int code = ExitOk;
    for (const Target &target : targets) {
        if (const int failed = fetchPartition(client, target, arguments, printer))
            code = failed;
        if (client.interrupted() || !client.out().ok())
            break;
    }
    return code == ExitOk && printer.hasFindings() ? int(ExitFindings) : code;
}

int runFetch(const CommandLine &line)
{
    return readTargets(u"fetch"_s, line, LogPlace::start(), fetchAll);
}

} // namespace

Command fetchCommand()
{
    return {
        .verb = u"fetch"_s,
        .arguments = u"TOPIC[/PARTITION]..."_s,
        .summary = u"Print records, with their checksums recomputed"_s,
        .details =
            u"Reads up to the end each partition has when the program looks; a TOPIC alone means\n"
            u"all its partitions, one after the other. --count counts in each of them.\n"
            u"\n"_s +
            readingHelp() +
            u"\n"
            u"Examples:\n"
            u"  topicscope-cli fetch orders/1 --from -10\n"
            u"  topicscope-cli fetch orders/1 --from 48213 --count 1 --raw > record.bin\n"
            u"  topicscope-cli fetch orders --at '2026-11-30 14:05' -b kafka://broker.example\n"
            u"  topicscope-cli fetch orders --json | jq -r '.value.data'\n"_s,
        .options = brokerOptions() + readOptions(u"start"_s),
        .rawArguments = false,
        .run = runFetch,
    };
}

} // namespace topicscope::cli
