#pragma once

#include "core/session/topicinfo.h"

#include <QWidget>

#include <optional>

class QComboBox;

namespace topicscope::ui
{

class PartitionStrip;

/// Chooses the partition of a composed record: by its key, or by hand; and shows all of them, with
/// the one it will be.
class PartitionChooser final : public QWidget
{
    Q_OBJECT
public:
    explicit PartitionChooser(QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(PartitionChooser)

    /// The topic's partitions; null: none are known. One chosen by hand stays chosen, also when it
    /// is gone.
    void setTopic(const TopicInfo *topic);
    /// What chooses where it is not done by hand: "by key", "in turn".
    void setOtherwise(const QString &text);
    std::optional<PartitionId> byHand() const;
    void setByHand(std::optional<PartitionId> partition);
    /// Marks where the record will go; nullopt: not known before it is sent.
    void setChosen(std::optional<PartitionId> partition);

signals:
    /// By the user.
    void changed();

private:
    QComboBox *m_box;
    PartitionStrip *m_strip;
};

} // namespace topicscope::ui
