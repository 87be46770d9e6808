#include "app/cli/publishfile.h"

#include "app/cli/client.h"
#include "app/cli/command.h"
#include "app/cli/errorlines.h"
#include "app/cli/publishoptions.h"
#include "core/base/digits.h"
#include "core/records/jsonline.h"
#include "core/sessionfactory.h"
#include "core/transfer/publishrun.h"

#include <QElapsedTimer>
#include <QFile>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;
using namespace topicscope::transfer;

namespace
{

constexpr qint64 kProgressMs = 2'000;

struct FileArguments {
    QString input;
    SourceFormat format = SourceFormat::Ndjson;
    CsvMapping mapping;
    PublishPlan plan;
    QString outcomes;
    bool dryRun = false;
    bool resume = false;
};

/// @error InvalidArgument
Result<FileArguments> fileArguments(const CommandLine &line, const Capabilities &capabilities)
{
    FileArguments arguments;
    arguments.input = line.value(u"input"_s).value_or(QString());
    for (const char *part : {"key", "key-hex", "key-file", "key-format", "value", "value-hex",
                             "value-file", "value-format", "null-value", "header", "timestamp"}) {
        if (line.has(QString::fromLatin1(part)))
            return refusal(u"--input and --%1 exclude each other"_s.arg(QString::fromLatin1(part)));
    }
    const QString name = line.value(u"format"_s).value_or(u"ndjson"_s);
    const auto format = sourceFormatNamed(name);
    if (!format)
        return refusal(u"--format is ndjson, csv, lines or files, not '%1'"_s.arg(name));
    arguments.format = *format;
    const auto mapping = CsvMapping::parse(line.value(u"columns"_s).value_or(QString()));
    if (!mapping)
        return mapping.error();
    arguments.mapping = *mapping;

    PublishRequest delivery;
    if (auto read = readDelivery(line, capabilities, delivery); !read)
        return read.error();
    PublishPlan &plan = arguments.plan;
    plan.topic = delivery.topic;
    plan.ack = delivery.ack;
    plan.partitioner = delivery.partitioner;
    plan.compression = delivery.compression;
    const QString how = line.value(u"partitions"_s).value_or(u"key"_s);
    if (how != u"key"_s && how != u"keep"_s)
        return refusal(u"--partitions is key or keep, not '%1'"_s.arg(how));
    if (how == u"keep"_s)
        plan.mapping = PublishPlan::Mapping::Keep;
    if (delivery.partition) {
        if (line.has(u"partitions"_s))
            return refusal(u"--partition and --partitions exclude each other"_s);
        plan.mapping = PublishPlan::Mapping::Fixed;
        plan.fixed = *delivery.partition;
    }
    plan.keepTimes = line.has(u"keep-times"_s);
    plan.dropUnstored = line.has(u"drop"_s);
    const auto rate = line.number(u"rate"_s, 0, 1, 1'000'000);
    if (!rate)
        return rate.error();
    plan.perSecond = double(*rate);
    arguments.outcomes = line.value(u"outcomes"_s).value_or(arguments.input + u".outcomes"_s);
    arguments.dryRun = line.has(u"dry-run"_s);
    arguments.resume = line.has(u"resume"_s);
    return arguments;
}

void printPlanned(Client &client, const SourceRecord &record, const PlannedRecord &planned)
{
    const auto partition =
        planned.partition ? std::optional<qint64>(planned.partition->value) : std::nullopt;
    if (client.json()) {
        JsonLine json;
        json.text("type", u"planned"_s).number("record", record.number);
        json.number("partition", partition).boolean("refused", !planned.refusal.isEmpty());
        if (!planned.refusal.isEmpty())
            json.text("text", planned.refusal);
        client.out().line(json.take());
        return;
    }
    const QString what =
        planned.refusal.isEmpty()
            ? u"partition "_s + (partition ? QString::number(*partition) : u"any"_s)
            : u"refused: "_s + planned.refusal;
    client.out().line(u"%1  %2"_s.arg(record.number).arg(what));
}

int dryRun(Client &client, const FileArguments &arguments, RecordSource &source,
           const PublishTarget &target)
{
    const auto summary = planAll(
        source, arguments.plan, target,
        [&](const SourceRecord &record, const PlannedRecord &planned) {
            printPlanned(client, record, planned);
            return true;
        },
        client.call().stop);
    if (!summary)
        return client.fail(summary.error());
    client.note(u"records: %1, of which would be refused: %2; nothing was sent"_s.arg(
        groupedDigits(summary->published + summary->refused), groupedDigits(summary->refused)));
    return summary->refused > 0 ? ExitFindings : ExitOk;
}

int publishAll(Client &client, const FileArguments &arguments, RecordSource &source,
               const PublishTarget &target)
{
    const OutcomeFile::Run run =
        runOf(arguments.input, arguments.format, client.session().config(), arguments.plan);
    const std::stop_token stop = client.call().stop;
    const auto outcomes = arguments.resume ? OutcomeFile::resume(arguments.outcomes, run, stop)
                                           : OutcomeFile::create(arguments.outcomes, run);
    if (!outcomes) {
        Error error = outcomes.error();
        if (!arguments.resume && error.kind == ErrorKind::InvalidArgument)
            error.detail += u"; --resume goes on with it"_s;
        return client.fail(error);
    }
    QElapsedTimer told;
    told.start();
    const auto progress = [&](const PublishProgress &now) {
        if (told.elapsed() < kProgressMs)
            return;
        told.restart();
        client.note(u"record %1, published %2, refused %3"_s.arg(
            groupedDigits(now.record), groupedDigits(now.published), groupedDigits(now.refused)));
    };
    const PublishSummary summary = transfer::publishAll(client.session(), source, arguments.plan,
                                                        target, **outcomes, progress, stop);
    int code = ExitOk;
    if (summary.error)
        code = client.fail(*summary.error);
    QString text = u"published: %1, refused: %2, unknown: %3"_s.arg(
        groupedDigits(summary.published), groupedDigits(summary.refused),
        groupedDigits(summary.unknown));
    if (summary.before > 0)
        text += u", known from before: %1"_s.arg(groupedDigits(summary.before));
    text += u"; see %1"_s.arg(arguments.outcomes);
    if (!summary.finished)
        text += u"; record %1 is the next, --resume goes on there"_s.arg(summary.next);
    client.note(text);
    if (code == ExitOk && summary.unknown > 0)
        return ExitOutcomeUnknown;
    if (code == ExitOk && summary.refused > 0)
        return ExitFindings;
    return code;
}

} // namespace

int publishFile(const CommandLine &line, const SessionConfig &config)
{
    const auto arguments = fileArguments(line, defaultSessionFactory()(config)->capabilities());
    if (!arguments)
        return usageError(u"publish"_s, arguments.error().detail);
    Client client(config, line.has(u"json"_s));
    const auto source = openSource(arguments->input, arguments->format, arguments->mapping);
    if (!source)
        return client.finish(client.fail(source.error()));
    const auto target = findTarget(client.session(), arguments->plan, client.call());
    if (!target)
        return client.finish(client.fail(target.error()));
    const int code = arguments->dryRun ? dryRun(client, *arguments, **source, *target)
                                       : publishAll(client, *arguments, **source, *target);
    return code == ExitOutcomeUnknown ? code : client.finish(code);
}

} // namespace topicscope::cli
