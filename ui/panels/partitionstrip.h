#pragma once

#include "core/session/topicinfo.h"

#include <QWidget>

#include <optional>

namespace topicscope::ui
{

/// The partitions of one topic side by side, as bars as high as they hold records; the chosen one
/// is filled, outlined and pointed at, so it is not told by colour alone.
class PartitionStrip final : public QWidget
{
    Q_OBJECT
public:
    explicit PartitionStrip(QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(PartitionStrip)

    void setPartitions(const QList<PartitionInfo> &partitions);
    void setChosen(std::optional<PartitionId> chosen);
    std::optional<PartitionId> chosen() const { return m_chosen; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    /// Room of the partition at `index`; neighbours touch.
    QRect cell(qsizetype index) const;
    void describe();

    QList<PartitionInfo> m_partitions;
    qint64 m_largest = 0;
    std::optional<PartitionId> m_chosen;
};

} // namespace topicscope::ui
