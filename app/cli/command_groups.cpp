#include "app/cli/command_groups.h"

#include "app/cli/client.h"
#include "core/base/bytewriter.h"
#include "core/records/jsonline.h"
#include "core/records/payloadformat.h"

#include <QHash>

#include <algorithm>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

using Table = QList<QStringList>;

/// Names come from the broker and its clients: drawn, not obeyed.
QString drawn(const QString &text)
{
    return text.isEmpty() ? u"-"_s : previewText(asBytes(text.toUtf8()));
}

QString drawn(const TopicPartition &partition)
{
    return drawn(partition.topic) + u'/' + QString::number(partition.partition.value);
}

QString number(std::optional<qint64> value, const QString &otherwise = u"-"_s)
{
    return value ? QString::number(*value) : otherwise;
}

std::optional<qint64> valueOf(std::optional<Offset> offset)
{
    return offset ? std::optional(offset->value) : std::nullopt;
}

/// As wide as what is in them, `rightFrom` … `rightTo` to the right; the last one is not padded.
void printTable(Output &out, const Table &table, qsizetype rightFrom = 0, qsizetype rightTo = 0)
{
    QList<qsizetype> widths(table.constFirst().size());
    for (const QStringList &row : table) {
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    for (const QStringList &row : table) {
        QString line;
        for (qsizetype i = 0; i < row.size(); ++i) {
            if (i > 0)
                line += u"  "_s;
            if (i >= rightFrom && i < rightTo)
                line += row[i].rightJustified(widths[i]);
            else
                line += i + 1 < row.size() ? row[i].leftJustified(widths[i]) : row[i];
        }
        while (line.endsWith(u' '))
            line.chop(1);
        out.line(line);
    }
}

int printList(Client &client, const GroupList &list)
{
    if (client.json()) {
        for (const GroupSummary &group : list.groups) {
            client.out().line(JsonLine()
                                  .text("type", u"group"_s)
                                  .text("group", group.id)
                                  .text("state", groupStateName(group.state))
                                  .boolean("simple", group.isSimple)
                                  .take());
        }
    } else if (list.groups.isEmpty() && list.errors.isEmpty()) {
        client.note(u"no groups, or none that this user may see"_s);
    } else if (!list.groups.isEmpty()) {
        Table table{{u"GROUP"_s, u"STATE"_s}};
        for (const GroupSummary &group : list.groups)
            table += QStringList{drawn(group.id), groupStateName(group.state)};
        printTable(client.out(), table);
    }
    int code = ExitOk;
    for (const Error &error : list.errors)
        code = client.fail(error);
    return code;
}

void printGroupJson(Client &client, const GroupInfo &group)
{
    const GroupSummary &summary = group.summary;
    client.out().line(JsonLine()
                          .text("type", u"group"_s)
                          .text("group", summary.id)
                          .text("state", groupStateName(summary.state))
                          .boolean("simple", summary.isSimple)
                          .text("assignor", group.assignor)
                          .number("coordinator", summary.coordinatorId)
                          .number("lag", group.totalLag())
                          .take());
    for (const GroupMember &member : group.members) {
        QList<JsonLine> partitions;
        for (const TopicPartition &partition : member.assignment) {
            partitions += JsonLine()
                              .text("topic", partition.topic)
                              .number("partition", partition.partition.value);
        }
        client.out().line(JsonLine()
                              .text("type", u"member"_s)
                              .text("group", summary.id)
                              .text("member", member.memberId)
                              .text("client", member.clientId)
                              .text("host", member.host)
                              .text("instance", member.instanceId)
                              .array("assignment", partitions)
                              .take());
    }
    for (const GroupOffset &row : group.offsets) {
        JsonLine json;
        json.text("type", u"offset"_s)
            .text("group", summary.id)
            .text("topic", row.partition.topic)
            .number("partition", row.partition.partition.value)
            .number("committed", valueOf(row.committed))
            .number("end", valueOf(row.end))
            .number("lag", row.lag())
            .boolean("gone", row.gone)
            .text("metadata", row.metadata);
        if (row.error)
            json.text("error", describe(*row.error));
        client.out().line(json.take());
    }
}

QString remark(const GroupOffset &row, const QHash<TopicPartition, QString> &readers)
{
    if (row.gone)
        return u"topic gone"_s;
    if (row.error)
        return drawn(describe(*row.error));
    return readers.value(row.partition, u"-"_s);
}

void printGroup(Client &client, const GroupInfo &group)
{
    Output &out = client.out();
    const GroupSummary &summary = group.summary;
    Table head{{u"GROUP"_s, drawn(summary.id)}, {u"STATE"_s, groupStateName(summary.state)}};
    if (!group.assignor.isEmpty())
        head += QStringList{u"ASSIGNOR"_s, drawn(group.assignor)};
    if (summary.coordinatorId) {
        head +=
            QStringList{u"COORDINATOR"_s,
                        u"%1 (%2)"_s.arg(*summary.coordinatorId).arg(drawn(summary.coordinator))};
    }
    head += QStringList{u"LAG"_s, number(group.totalLag())};
    printTable(out, head);

    QHash<TopicPartition, QString> readers;
    if (!group.members.isEmpty()) {
        Table members{{u"CLIENT"_s, u"HOST"_s, u"MEMBER"_s, u"PARTITIONS"_s}};
        for (const GroupMember &member : group.members) {
            QStringList partitions;
            for (const TopicPartition &partition : member.assignment) {
                partitions += drawn(partition);
                readers.insert(partition, drawn(member.clientId));
            }
            members +=
                QStringList{drawn(member.clientId), drawn(member.host), drawn(member.memberId),
                            partitions.isEmpty() ? u"-"_s : partitions.join(u' ')};
        }
        out.line(QString());
        printTable(out, members);
    }
    if (!group.offsets.isEmpty()) {
        Table offsets{{u"PARTITION"_s, u"COMMITTED"_s, u"END"_s, u"LAG"_s, u"READ BY"_s}};
        for (const GroupOffset &row : group.offsets) {
            offsets +=
                QStringList{drawn(row.partition), number(valueOf(row.committed), u"none"_s),
                            number(valueOf(row.end)), number(row.lag()), remark(row, readers)};
        }
        out.line(QString());
        printTable(out, offsets, 1, 4);
    }
}

int showGroup(Client &client, const GroupInfo &group)
{
    if (client.json())
        printGroupJson(client, group);
    else
        printGroup(client, group);
    if (group.membersError)
        client.note(group.membersError->detail.isEmpty() ? describe(*group.membersError)
                                                         : group.membersError->detail);
    if (group.offsetsError)
        return client.fail(*group.offsetsError);
    const bool failed = std::ranges::any_of(
        group.offsets, [](const GroupOffset &row) { return row.error.has_value(); });
    return failed ? ExitFindings : ExitOk;
}

int runGroups(const CommandLine &line)
{
    if (line.positional().size() > 1)
        return usageError(u"groups"_s, u"unexpected '%1'"_s.arg(line.positional().at(1)));
    const auto config = sessionConfig(line);
    if (!config)
        return configError(u"groups"_s, config.error());
    Client client(*config, line.has(u"json"_s));
    GroupReader *groups = client.session().groups();
    if (!groups)
        return client.finish(client.fail(noGroups(config->endpoint())));
    if (line.positional().isEmpty()) {
        const auto list = groups->listGroups(client.call());
        return client.finish(list ? printList(client, *list) : client.fail(list.error()));
    }
    const auto group = groups->describeGroup(line.positional().constFirst(), client.call());
    return client.finish(group ? showGroup(client, *group) : client.fail(group.error()));
}

} // namespace

Command groupsCommand()
{
    return {
        .verb = u"groups"_s,
        .arguments = u"[GROUP]"_s,
        .summary = u"List the consumer groups, or show one with its lag"_s,
        .details =
            u"With a GROUP: its state, its members with the partitions they are assigned, and for\n"
            u"each partition the committed offset, the end and the lag between them. \"none\" is\n"
            u"no offset committed, which is not 0. The lag counts offsets: transaction markers "
            u"and\n"
            u"compacted records are among them, so a group that has read everything may keep a\n"
            u"small one. A topic that was deleted is \"topic gone\". Nothing is changed, and no "
            u"group\n"
            u"is joined.\n"
            u"\n"
            u"With --json each line is one object with \"type\":\n"
            u"  group         group, state, simple; of one: assignor, coordinator, lag\n"
            u"  member        member, client, host, instance, assignment [{topic, partition}]\n"
            u"  offset        topic, partition, committed (null: none), end, lag, gone, metadata\n"
            u"\n"
            u"Examples:\n"
            u"  topicscope-cli groups -b kafka://broker.example:9092\n"
            u"  topicscope-cli groups billing -b kafka://broker.example:9092 --json\n"_s,
        .options = brokerOptions(),
        .rawArguments = false,
        .run = runGroups,
    };
}

} // namespace topicscope::cli
