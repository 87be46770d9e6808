#pragma once

#include "core/records/logmap.h"
#include "core/records/recordaxis.h"

#include <QWidget>

#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace topicscope::ui
{

/// A picture of whole partitions beside their table, from the log start offset above to the high
/// watermark below: how dense records are, how large the largest are, what is flagged, where times
/// fall, what a search has found, and which piece the table holds. Several partitions stand side by
/// side, to one scale, so that skew is seen. What was not looked at is left empty. A flagged record
/// keeps a line of its own, however long the log. Clicking and dragging go there. Thread: GUI.
class PartitionMap final : public QWidget
{
    Q_OBJECT
public:
    using Profiles = std::map<PartitionId, PartitionProfile>;

    explicit PartitionMap(QWidget *parent = nullptr);

    /// Drawn from these; they outlive the map. update() when they changed.
    void setProfiles(const Profiles *profiles);
    /// The offsets the table holds of a partition.
    void setHeld(std::map<PartitionId, std::pair<Offset, Offset>> held);
    /// What a search has found; each keeps a mark of its own, too. Null: nothing.
    void setHits(std::shared_ptr<const MarkedOffsets> hits);
    /// Said in the tool tip, e.g. how much was sampled.
    void setSource(const QString &text) { m_source = text; }
    /// A moment as text, for ticks and tool tips; `brief` where there is little room. An empty
    /// function: there are no times.
    using TimeText = std::function<QString(qint64 timeMs, bool brief)>;
    void setTimeText(TimeText text);

    /// What is at a point; nullopt outside of all partitions.
    std::optional<RecordAxis::Place> placeAt(const QPoint &point) const;
    /// Where an offset is drawn; a null rectangle for a partition that is not there.
    QRect rectOf(PartitionId partition, Offset offset) const;

    /// What is known of the place there, in words.
    QString toolTipAt(const QPoint &point) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void goToRequested(topicscope::PartitionId partition, topicscope::Offset offset);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    struct Strip {
        const PartitionProfile *profile;
        PartitionId id;
        QRect rect; ///< its height is to scale
        int right;  ///< where the next one begins
    };
    /// Of the largest records in the buckets of all strips, in bytes.
    struct Peaks {
        qint64 smallest = 0;
        qint64 largest = 0;

        double share(qint64 bytes) const;
    };
    std::vector<Strip> strips() const;
    static Peaks peaksOf(const std::vector<Strip> &strips);
    Offset offsetAt(const Strip &strip, int y) const;
    static int yOf(const Strip &strip, Offset offset);
    void paintStrip(QPainter &painter, const Strip &strip, const Peaks &peaks) const;
    void paintHits(QPainter &painter, const Strip &strip) const;
    const std::vector<Offset> &hitsOf(PartitionId partition) const;
    void paintTimes(QPainter &painter, const Strip &strip) const;
    bool showsTimes() const;
    void go(const QPoint &point);

    const Profiles *m_profiles = nullptr;
    std::map<PartitionId, std::pair<Offset, Offset>> m_held;
    std::shared_ptr<const MarkedOffsets> m_hits;
    QString m_source;
    TimeText m_timeText;
};

} // namespace topicscope::ui
