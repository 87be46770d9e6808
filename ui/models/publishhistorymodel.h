#pragma once

#include "core/base/error.h"
#include "core/session/lookfor.h"
#include "core/session/publish.h"
#include "core/session/sessionconfig.h"

#include <QAbstractTableModel>
#include <QDateTime>

#include <deque>

namespace topicscope::ui
{

/// One record published by hand and what is known of it.
struct PublishEntry {
    enum class Outcome {
        Waiting,
        Published,    ///< `partition` and `offset` are the broker's answer
        NotConfirmed, ///< ack none: sent, and no answer is to be expected
        Unknown,      ///< sent, and the answer was lost
        Failed,       ///< nothing was stored; see `error`
    };
    enum class Search { None, Running, Found, NotFound, Failed };

    const QObject *session = nullptr; ///< whose `id` it is: an identity, never dereferenced
    RequestId id;
    QDateTime time;
    SessionConfig config; ///< of the connection it was sent to
    PublishRequest request;
    bool payloadKept = true; ///< false: key and value were dropped to save memory
    qint64 valueBytes = 0;
    Outcome outcome = Outcome::Waiting;
    Error error; ///< Failed and Unknown
    std::optional<TopicPartition> partition;
    std::optional<Offset> offset;     ///< answered, or found
    std::optional<Offset> searchFrom; ///< end offset just before sending
    std::optional<Offset> searchEnd;  ///< end offset when it was looked for
    Search search = Search::None;
    const QObject *searchSession = nullptr;
    RequestId searchId;
    Error searchError;

    /// Whether it can be looked for in the log.
    bool isSearchable() const;
};

/// Everything published by hand in this run of the program, newest first; old entries go when there
/// are more than kMaxEntries, and their payloads when all of them pass kMaxPayloadBytes.
///
/// Matches answers with what they answer, by session and id, since each session counts for itself:
/// what it does not wait for changes nothing.
class PublishHistoryModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        TimeColumn,
        TopicColumn,
        PartitionColumn,
        OffsetColumn,
        AckColumn,
        BytesColumn,
        OutcomeColumn,
        ColumnCount,
    };
    enum Role : int {
        OutcomeRole = Qt::UserRole + 1, ///< int of PublishEntry::Outcome
        LineRole,                       ///< QString: the whole entry as one line
    };

    static constexpr int kMaxEntries = 1000;
    static constexpr qint64 kMaxPayloadBytes = qint64(64) * 1024 * 1024;

    explicit PublishHistoryModel(QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(PublishHistoryModel)

    const PublishEntry &entry(int row) const { return m_entries.at(size_t(row)); }

    void add(const QObject *session, RequestId id, const PublishRequest &request,
             const SessionConfig &config, const QDateTime &time);
    void onPublished(const QObject *session, RequestId id, const PublishResult &result);
    /// About a publish or a search.
    void onFailed(const QObject *session, RequestId id, const Error &error);
    /// The session need not be the one it was published with.
    void onSearchStarted(int row, const QObject *session, RequestId id);
    void onLookedFor(const QObject *session, RequestId id, const LookForResult &result);
    /// The session is gone, and with it its answers: what waits for them becomes unknown.
    void onSessionClosed(const QObject *session);
    /// Removes everything but what still waits.
    void clear();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::optional<int> rowWaitingFor(const QObject *session, RequestId id) const;
    std::optional<int> rowSearching(const QObject *session, RequestId id) const;
    void changed(int row);
    void boundMemory();
    QString text(const PublishEntry &entry, int column) const;
    QString outcomeText(const PublishEntry &entry) const;
    QString longText(const PublishEntry &entry) const;
    QString lineText(const PublishEntry &entry) const;

    std::deque<PublishEntry> m_entries; ///< newest first
    qint64 m_payloadBytes = 0;
};

} // namespace topicscope::ui
