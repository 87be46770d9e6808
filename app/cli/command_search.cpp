#include "app/cli/command_search.h"

#include "app/cli/client.h"
#include "app/cli/errorlines.h"
#include "app/cli/hitprinter.h"
#include "app/cli/readoptions.h"
#include "core/base/digits.h"
#include "core/records/jsonline.h"
#include "core/sessionfactory.h"

#include <QDateTime>

#include <algorithm>
#include <chrono>
#include <limits>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;
using namespace topicscope::search;

namespace
{

/// Of a partition's ranges, without --ledger.
constexpr int kShownRanges = 10;

struct SearchArguments {
    QStringList names;
    Filter filter;
    SearchScope scope;
    std::optional<QList<PartitionId>> partitions; ///< of each topic
    qint64 limit;
    SearchOptions options;
    bool json;
    bool ledger;
};

/// OFFSET, -N, @TIME, start or end.
Result<LogPlace> parsePlace(const CommandLine &line, const QString &option, const LogPlace &open)
{
    const auto text = line.value(option);
    if (!text)
        return open;
    if (const auto place = LogPlace::parseWithTime(*text, QDateTime::currentMSecsSinceEpoch()))
        return *place;
    return Error::make(
        ErrorKind::InvalidArgument,
        u"--%1 needs an offset, -N, @TIME, 'start' or 'end', not '%2'"_s.arg(option, *text));
}

Result<SearchScope> parseScope(const CommandLine &line)
{
    if (line.has(u"newest"_s)) {
        if (line.has(u"from"_s) || line.has(u"to"_s)) {
            return Error::make(ErrorKind::InvalidArgument, u"--newest excludes --from and --to"_s);
        }
        const auto newest = line.number(u"newest"_s, 0, 1);
        if (!newest)
            return newest.error();
        return SearchScope{LogPlace::end(*newest), LogPlace::end()};
    }
    const auto from = parsePlace(line, u"from"_s, LogPlace::start());
    const auto to = parsePlace(line, u"to"_s, LogPlace::end());
    if (!from || !to)
        return from ? to.error() : from.error();
    return SearchScope{*from, *to};
}

/// @error InvalidArgument
Result<std::optional<QList<PartitionId>>> partitionsOption(const CommandLine &line)
{
    const auto text = line.value(u"partitions"_s);
    if (!text)
        return std::optional<QList<PartitionId>>();
    auto partitions = parsePartitions(*text);
    if (!partitions) {
        return Error::make(ErrorKind::InvalidArgument,
                           u"--partitions needs numbers like 0,3-5, not '%1'"_s.arg(*text));
    }
    return partitions;
}

/// @error InvalidArgument
Result<SearchArguments> searchArguments(const CommandLine &line)
{
    const QStringList &positional = line.positional();
    if (positional.size() < 2) {
        return Error::make(ErrorKind::InvalidArgument,
                           u"a topic and an expression are needed; quote the expression"_s);
    }
    const auto filter = parseFilter(positional.constLast());
    if (!filter)
        return filter.error();
    const auto scope = parseScope(line);
    if (!scope)
        return scope.error();
    const auto partitions = partitionsOption(line);
    if (!partitions)
        return partitions.error();
    const auto limit = line.number(u"limit"_s, std::numeric_limits<qint64>::max());
    if (!limit)
        return limit.error();
    const auto isolation = parseIsolation(line);
    if (!isolation)
        return isolation.error();
    SearchOptions options;
    const auto largest = line.number(u"max-record-bytes"_s, options.scan.maxRecordBytes, 1,
                                     std::numeric_limits<qint32>::max());
    if (!largest)
        return largest.error();
    options.scan.maxRecordBytes = qint32(*largest);
    options.scan.isolation = *isolation;
    return SearchArguments{positional.first(positional.size() - 1),
                           *filter,
                           *scope,
                           *partitions,
                           *limit,
                           options,
                           line.has(u"json"_s),
                           line.has(u"ledger"_s)};
}

/// The partitions meant; those that cannot be read are among them.
Result<QList<TopicPartition>> chosenPartitions(const TopicList &topics,
                                               const SearchArguments &arguments)
{
    auto found = findPartitions(topics, arguments.names);
    if (!found || !arguments.partitions)
        return found;
    for (const PartitionId wanted : *arguments.partitions) {
        const bool known = std::ranges::any_of(
            *found, [&](const TopicPartition &partition) { return partition.partition == wanted; });
        if (!known) {
            return Error::make(ErrorKind::InvalidArgument,
                               u"--partitions: there is no partition %1"_s.arg(wanted.value));
        }
    }
    found->removeIf([&](const TopicPartition &partition) {
        return !arguments.partitions->contains(partition.partition);
    });
    return found;
}

JsonLine rangeJson(const LedgerRange &range)
{
    JsonLine json;
    json.number("from", range.first.value)
        .number("to", range.end.value)
        .text("state", coverageName(range.coverage));
    if (!range.reason.isEmpty())
        json.text("reason", range.reason);
    return json;
}

JsonLine ledgerJson(const PartitionLedger &ledger)
{
    QList<JsonLine> ranges;
    for (const LedgerRange &range : ledger.ranges())
        ranges += rangeJson(range);
    JsonLine json;
    json.text("type", u"ledger"_s)
        .text("topic", ledger.partition().topic)
        .number("partition", ledger.partition().partition.value)
        .number("records", ledger.records)
        .number("bytes", ledger.bytes)
        .number("hits", ledger.hits)
        .array("ranges", ranges);
    if (ledger.error())
        json.text("error", errorLine(*ledger.error()));
    return json;
}

JsonLine outcomeJson(const Ledger &ledger)
{
    const LedgerTotals totals = totalsOf(ledger);
    return JsonLine()
        .text("type", u"outcome"_s)
        .number("hits", totals.hits)
        .number("offsets", totals.offsets)
        .number("searched", totals.of(Coverage::Scanned))
        .number("leftOut", totals.of(Coverage::LeftOut))
        .number("notSearched", totals.notSearched())
        .number("partitionsUnknown", totals.unknown)
        .boolean("complete", totals.isComplete())
        .text("text", outcomeText(ledger));
}

/// What is worth a line without --ledger: what was asked for and not searched.
QStringList linesOf(const PartitionLedger &ledger, bool all)
{
    QStringList lines;
    if (ledger.error())
        lines += errorLine(*ledger.error());
    qsizetype left = 0;
    for (const LedgerRange &range : ledger.ranges()) {
        if (!all && range.coverage == Coverage::Scanned)
            continue;
        if (all || lines.size() < kShownRanges)
            lines += rangeText(range);
        else
            ++left;
    }
    if (left > 0)
        lines += u"%1 ranges more; --ledger prints all"_s.arg(left);
    for (QString &line : lines)
        line.prepend(nameOf(ledger.partition()) + u": "_s);
    return lines;
}

/// The account at the end: on standard error, or with --ledger all of it with the hits.
void printLedger(Client &client, const SearchArguments &arguments, const Ledger &ledger)
{
    const auto say = [&](const QString &text) {
        if (arguments.ledger)
            client.out().line(drawn(text));
        else
            client.note(text);
    };
    if (arguments.json && arguments.ledger) {
        for (const PartitionLedger &partition : ledger)
            client.out().line(ledgerJson(partition).take());
        client.out().line(outcomeJson(ledger).take());
        return;
    }
    for (const PartitionLedger &partition : ledger) {
        for (const QString &line : linesOf(partition, arguments.ledger))
            say(line);
    }
    say(outcomeText(ledger));
}

int exitCodeFor(const Ledger &ledger, bool findings)
{
    const LedgerTotals totals = totalsOf(ledger);
    if (totals.unknown > 0 || totals.of(Coverage::Failed) > 0)
        return ExitFailed;
    return findings || !totals.isComplete() ? ExitFindings : ExitOk;
}

/// For the widths of the columns.
QList<Target> targetsOf(const Ledger &ledger)
{
    QList<Target> targets;
    for (const PartitionLedger &partition : ledger)
        targets += {partition.partition(), partition.begin(), partition.end(), partition.begin()};
    return targets;
}

/// @return an ExitCode
int search(Client &client, const TopicList &topics, const SearchArguments &arguments)
{
    const auto partitions = chosenPartitions(topics, arguments);
    if (!partitions)
        return client.fail(partitions.error());
    auto ledger = planSearch(client.session(), *partitions, arguments.scope, client.call());
    if (!ledger)
        return client.fail(ledger.error());

    RecordPrinter printer(
        client.out(), arguments.json ? RecordPrinter::Format::Json : RecordPrinter::Format::Columns,
        targetsOf(*ledger), arguments.options.scan.maxBytes, client.session().capabilities());
    printer.header();
    std::stop_source stop;
    const std::stop_callback onInterrupt(client.call().stop, [&] { stop.request_stop(); });
    HitPrinter hits(client.out(), printer, arguments.limit, ledger->size(), stop);
    std::chrono::milliseconds told{0};
    hits.onProgress([&](const SearchProgress &now) {
        if (now.elapsed - told < kProgressEvery || now.totals.of(Coverage::Pending) == 0)
            return;
        told = now.elapsed;
        QString text = u"%1 of %2 offsets searched, hits: %3, %4/s"_s.arg(
            groupedDigits(now.totals.offsets - now.totals.of(Coverage::Pending)),
            groupedDigits(now.totals.offsets), groupedDigits(now.totals.hits),
            byteText(qint64(now.bytesPerSecond)));
        if (now.left)
            text += u", about %1 s left"_s.arg((now.left->count() + 999) / 1000);
        client.note(text);
    });
    runSearch(defaultSessionFactory(), client.session().config(), arguments.filter,
              arguments.options, *ledger, hits, stop.get_token());
    hits.finish();

    const qint64 found = totalsOf(*ledger).hits;
    if (hits.printed() < found && client.out().ok()) {
        client.note(
            u"the first %1 of %2 hits are printed (--limit)"_s.arg(hits.printed()).arg(found));
    }
    printLedger(client, arguments, *ledger);
    return exitCodeFor(*ledger, printer.hasFindings());
}

int runSearchVerb(const CommandLine &line)
{
    const auto arguments = searchArguments(line);
    if (!arguments)
        return usageError(u"search"_s, arguments.error().detail);
    return withTopics(u"search"_s, line, {.names = topicsOf(arguments->names)},
                      [&](Client &client, const TopicList &topics) {
                          return search(client, topics, *arguments);
                      });
}

} // namespace

Command searchCommand()
{
    return {
        .verb = u"search"_s,
        .arguments = u"TOPIC[/PARTITION]... EXPRESSION"_s,
        .summary = u"Print the records that match, and what was and was not searched"_s,
        .details =
            u"Searches what each partition holds when the program looks, several partitions at a\n"
            u"time; hits come in the order of partition and offset, printed as by fetch. Damaged\n"
            u"and refused partitions hide no others. At the end an account says on standard\n"
            u"error what was not searched and why; with --ledger all ranges are printed behind\n"
            u"the hits, with --json as objects of type ledger (one a partition: from, to left\n"
            u"out, state) and outcome.\n"
            u"\n"_s +
            filterHelp() +
            u"\n"
            u"Examples:\n"
            u"  topicscope-cli search orders order-42\n"
            u"  topicscope-cli search orders 'json.user.id == 42 and not flag:crc' --json\n"
            u"  topicscope-cli search orders/1 'size > 1 MiB' --newest 100000\n"
            u"  topicscope-cli search orders 'key is null' --from @-1h -b "
            u"kafka://broker.example\n"_s,
        .options =
            brokerOptions() +
            QList<Option>{
                {u"newest"_s, u"N"_s, u"only the newest N offsets of each partition"_s},
                {u"from"_s, u"WHERE"_s,
                 u"begin at this offset; -N for N before the end, @TIME for the\nfirst record at "
                 u"or after it (@2026-11-30T14:05, @-1h); default start"_s},
                {u"to"_s, u"WHERE"_s, u"end before this offset or time; default end"_s},
                {u"partitions"_s, u"LIST"_s, u"only these of each topic: 0,3-5"_s},
                {u"limit"_s, u"N"_s, u"print at most N hits; all are counted"_s, u'n'},
                {u"max-record-bytes"_s, u"N"_s,
                 u"larger records are not fetched (default %1)"_s.arg(
                     ScanOptions().maxRecordBytes)},
                isolationOption(),
                timeZoneOption(),
                {u"ledger"_s, {}, u"print all that was and was not searched, behind the hits"_s},
            },
        .rawArguments = false,
        .run = runSearchVerb,
    };
}

} // namespace topicscope::cli
