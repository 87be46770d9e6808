#include "ui/models/publishhistorymodel.h"

#include "core/base/digits.h"
#include "ui/errortext.h"
#include "ui/plaintooltip.h"

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

qint64 payloadBytes(const PublishRequest &request)
{
    return (request.key ? request.key->size() : 0) + (request.value ? request.value->size() : 0);
}

int alignment(int column)
{
    const bool isNumber = column == PublishHistoryModel::PartitionColumn ||
                          column == PublishHistoryModel::OffsetColumn ||
                          column == PublishHistoryModel::BytesColumn;
    return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace

bool PublishEntry::isSearchable() const
{
    const bool unsure = outcome == Outcome::Unknown || outcome == Outcome::NotConfirmed;
    return unsure && partition && searchFrom && payloadKept && request.value &&
           search != Search::Running;
}

PublishHistoryModel::PublishHistoryModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void PublishHistoryModel::add(const QObject *session, RequestId id, const PublishRequest &request,
                              const SessionConfig &config, const QDateTime &time)
{
    PublishEntry entry;
    entry.session = session;
    entry.id = id;
    entry.time = time;
    entry.config = config;
    entry.request = request;
    entry.valueBytes = request.value ? request.value->size() : 0;
    if (request.partition)
        entry.partition = TopicPartition{request.topic, *request.partition};
    m_payloadBytes += payloadBytes(request);
    beginInsertRows({}, 0, 0);
    m_entries.push_front(std::move(entry));
    endInsertRows();
    boundMemory();
}

void PublishHistoryModel::boundMemory()
{
    while (int(m_entries.size()) > kMaxEntries) {
        const int last = int(m_entries.size()) - 1;
        if (m_entries.back().payloadKept)
            m_payloadBytes -= payloadBytes(m_entries.back().request);
        beginRemoveRows({}, last, last);
        m_entries.pop_back();
        endRemoveRows();
    }
    // The newest one stays whole, however large.
    for (size_t row = m_entries.size() - 1; row > 0 && m_payloadBytes > kMaxPayloadBytes; --row) {
        PublishEntry &entry = m_entries[row];
        if (!entry.payloadKept || payloadBytes(entry.request) == 0)
            continue;
        m_payloadBytes -= payloadBytes(entry.request);
        entry.request.key.reset();
        entry.request.value.reset();
        entry.payloadKept = false;
        changed(int(row));
    }
}

std::optional<int> PublishHistoryModel::rowWaitingFor(const QObject *session, RequestId id) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const auto &entry) {
        return entry.outcome == PublishEntry::Outcome::Waiting && entry.session == session &&
               entry.id == id;
    });
    return found == m_entries.end() ? std::nullopt : std::optional(int(found - m_entries.begin()));
}

std::optional<int> PublishHistoryModel::rowSearching(const QObject *session, RequestId id) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const auto &entry) {
        return entry.search == PublishEntry::Search::Running && entry.searchSession == session &&
               entry.searchId == id;
    });
    return found == m_entries.end() ? std::nullopt : std::optional(int(found - m_entries.begin()));
}

void PublishHistoryModel::onPublished(const QObject *session, RequestId id,
                                      const PublishResult &result)
{
    const auto row = rowWaitingFor(session, id);
    if (!row)
        return;
    PublishEntry &entry = m_entries[size_t(*row)];
    entry.outcome =
        result.offset ? PublishEntry::Outcome::Published : PublishEntry::Outcome::NotConfirmed;
    entry.partition = result.partition;
    entry.offset = result.offset;
    entry.searchFrom = result.endOffsetBefore;
    changed(*row);
}

void PublishHistoryModel::onFailed(const QObject *session, RequestId id, const Error &error)
{
    if (const auto row = rowWaitingFor(session, id)) {
        PublishEntry &entry = m_entries[size_t(*row)];
        entry.error = error;
        entry.outcome = error.kind == ErrorKind::OutcomeUnknown ? PublishEntry::Outcome::Unknown
                                                                : PublishEntry::Outcome::Failed;
        if (error.where.partition)
            entry.partition = TopicPartition{entry.request.topic, *error.where.partition};
        if (entry.outcome == PublishEntry::Outcome::Unknown)
            entry.searchFrom = error.where.offset;
        changed(*row);
    } else if (const auto searching = rowSearching(session, id)) {
        PublishEntry &entry = m_entries[size_t(*searching)];
        entry.search = PublishEntry::Search::Failed;
        entry.searchError = error;
        changed(*searching);
    }
}

void PublishHistoryModel::onSearchStarted(int row, const QObject *session, RequestId id)
{
    PublishEntry &entry = m_entries.at(size_t(row));
    entry.search = PublishEntry::Search::Running;
    entry.searchSession = session;
    entry.searchId = id;
    changed(row);
}

void PublishHistoryModel::onLookedFor(const QObject *session, RequestId id,
                                      const LookForResult &result)
{
    const auto row = rowSearching(session, id);
    if (!row)
        return;
    PublishEntry &entry = m_entries[size_t(*row)];
    entry.search = result.offset ? PublishEntry::Search::Found : PublishEntry::Search::NotFound;
    entry.offset = result.offset;
    entry.searchEnd = result.end;
    changed(*row);
}

void PublishHistoryModel::onSessionClosed(const QObject *session)
{
    for (size_t row = 0; row < m_entries.size(); ++row) {
        PublishEntry &entry = m_entries[row];
        if (entry.outcome == PublishEntry::Outcome::Waiting && entry.session == session) {
            entry.outcome = PublishEntry::Outcome::Unknown;
            entry.error = Error::make(ErrorKind::OutcomeUnknown,
                                      u"the connection was closed before the answer"_s,
                                      {entry.request.topic, {}, {}, entry.config.endpoint(), {}});
            changed(int(row));
        } else if (entry.search == PublishEntry::Search::Running &&
                   entry.searchSession == session) {
            entry.search = PublishEntry::Search::None;
            changed(int(row));
        }
    }
}

void PublishHistoryModel::clear()
{
    beginResetModel();
    std::erase_if(m_entries, [this](const PublishEntry &entry) {
        const bool goes = entry.outcome != PublishEntry::Outcome::Waiting;
        if (goes && entry.payloadKept)
            m_payloadBytes -= payloadBytes(entry.request);
        return goes;
    });
    endResetModel();
}

void PublishHistoryModel::changed(int row)
{
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

int PublishHistoryModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_entries.size());
}

int PublishHistoryModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PublishHistoryModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const PublishEntry &shown = entry(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(shown, index.column());
    case Qt::ToolTipRole:
        return plainToolTip(longText(shown));
    case Qt::TextAlignmentRole:
        return alignment(index.column());
    case OutcomeRole:
        return int(shown.outcome);
    case LineRole:
        return lineText(shown);
    default:
        return {};
    }
}

QVariant PublishHistoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return alignment(section);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case TimeColumn:
        return tr("Time");
    case TopicColumn:
        return tr("Topic");
    case PartitionColumn:
        return tr("Partition");
    case OffsetColumn:
        return tr("Offset");
    case AckColumn:
        return tr("Ack");
    case BytesColumn:
        return tr("Bytes");
    case OutcomeColumn:
        return tr("Outcome");
    default:
        return {};
    }
}

QString PublishHistoryModel::text(const PublishEntry &entry, int column) const
{
    switch (column) {
    case TimeColumn:
        return entry.time.toString(u"HH:mm:ss"_s);
    case TopicColumn:
        return entry.request.topic;
    case PartitionColumn:
        return entry.partition ? QString::number(entry.partition->partition.value) : QString();
    case OffsetColumn:
        return entry.offset ? groupedDigits(entry.offset->value) : QString();
    case AckColumn:
        return ackPolicyName(entry.request.ack);
    case BytesColumn:
        return groupedDigits(entry.valueBytes);
    case OutcomeColumn:
        return outcomeText(entry);
    default:
        return {};
    }
}

QString PublishHistoryModel::outcomeText(const PublishEntry &entry) const
{
    QString text;
    switch (entry.outcome) {
    case PublishEntry::Outcome::Waiting:
        return tr("waiting for the answer");
    case PublishEntry::Outcome::Published:
        return tr("published");
    case PublishEntry::Outcome::Failed:
        return errorText(entry.error).title;
    case PublishEntry::Outcome::NotConfirmed:
        text = tr("sent, not confirmed");
        break;
    case PublishEntry::Outcome::Unknown:
        text = tr("outcome unknown");
        break;
    }
    switch (entry.search) {
    case PublishEntry::Search::None:
        return text;
    case PublishEntry::Search::Running:
        return tr("%1; looking for it…").arg(text);
    case PublishEntry::Search::Found:
        return tr("%1; found at offset %2")
            .arg(text, groupedDigits(entry.offset.value_or(Offset{}).value));
    case PublishEntry::Search::NotFound:
        return tr("%1; not in the log from offset %2 to its end, %3")
            .arg(text, groupedDigits(entry.searchFrom.value_or(Offset{}).value),
                 groupedDigits(entry.searchEnd.value_or(Offset{}).value));
    case PublishEntry::Search::Failed:
        return tr("%1; could not be looked for: %2").arg(text, errorText(entry.searchError).title);
    }
    return text;
}

QString PublishHistoryModel::longText(const PublishEntry &entry) const
{
    QString text;
    switch (entry.outcome) {
    case PublishEntry::Outcome::Waiting:
        text = tr("Waiting for the answer of %1.").arg(entry.config.endpoint());
        break;
    case PublishEntry::Outcome::Published:
        text = tr("Published to %1.").arg(entry.config.endpoint());
        break;
    case PublishEntry::Outcome::NotConfirmed:
        text = tr("Sent to %1, not confirmed: with ack policy none no answer comes.")
                   .arg(entry.config.endpoint());
        break;
    case PublishEntry::Outcome::Unknown:
    case PublishEntry::Outcome::Failed:
        text = errorText(entry.error).full();
        break;
    }
    switch (entry.search) {
    case PublishEntry::Search::None:
    case PublishEntry::Search::Running:
        break;
    case PublishEntry::Search::Found:
        text += u' ' + tr("A record with the same bytes is in the log at offset %1.")
                           .arg(groupedDigits(entry.offset.value_or(Offset{}).value));
        break;
    case PublishEntry::Search::NotFound:
        text += u' ' + tr("No record with these bytes is in the log from offset %1, its end "
                          "before sending, to %2, its end when looked at.")
                           .arg(groupedDigits(entry.searchFrom.value_or(Offset{}).value),
                                groupedDigits(entry.searchEnd.value_or(Offset{}).value));
        break;
    case PublishEntry::Search::Failed:
        text +=
            u' ' + tr("It could not be looked for.") + u' ' + errorText(entry.searchError).full();
        break;
    }
    if (!entry.payloadKept)
        text += u' ' + tr("The record itself is no longer kept here.");
    return text;
}

QString PublishHistoryModel::lineText(const PublishEntry &entry) const
{
    QString line = entry.time.toString(u"HH:mm:ss "_s) + entry.request.topic;
    if (entry.partition)
        line += u'/' + QString::number(entry.partition->partition.value);
    if (entry.offset)
        line += tr(" offset %1").arg(entry.offset->value);
    return line + u": "_s + longText(entry);
}

} // namespace topicscope::ui
