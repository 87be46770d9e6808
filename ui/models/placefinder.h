#pragma once

#include "core/records/logplace.h"
#include "core/session/sessionhandle.h"
#include "ui/models/recordloader.h"

#include <QObject>

#include <map>

namespace topicscope::ui
{

/// Whether the broker has to be asked where it is.
inline bool needsTimes(const LogRange &range)
{
    return range.from.kind == LogPlace::Kind::Time ||
           (range.to && range.to->kind == LogPlace::Kind::Time);
}

/// Which offsets a place or a range is in each partition; asks the broker for those of times.
/// Thread: GUI.
class PlaceFinder final : public QObject
{
    Q_OBJECT
public:
    /// As it was typed: it may lie outside of the log, and `to` before `from`.
    struct Place {
        Offset from;
        std::optional<Offset> to;
        bool isAfterLast = false;   ///< no record is as young as `from` wants: it is the end
        std::optional<Error> error; ///< this partition cannot say; the others can
    };
    using Places = std::map<PartitionId, Place>;

    /// `session` must outlive this.
    explicit PlaceFinder(SessionHandle *session, QObject *parent = nullptr);

    /// Without times found() comes before this is back. What was being looked for is forgotten.
    void find(const QString &topic, const std::vector<RecordLoader::Part> &parts,
              const LogRange &range);
    void cancel();
    const LogRange &range() const { return m_range; } ///< looked for last
    const Places &places() const { return m_places; }

signals:
    void found();
    void failed(const topicscope::Error &error);

private:
    void askNext();
    void onOffsets(const QList<TimeOffset> &offsets);

    SessionHandle *const m_session;
    LogRange m_range;
    QList<TopicPartition> m_partitions;
    Places m_places;
    RequestId m_request;
    bool m_askedFrom = false; ///< or it needs no asking
    bool m_askedTo = false;
};

} // namespace topicscope::ui
