#include "ui/panels/partitionchooser.h"

#include "ui/panels/partitionstrip.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int kByKey = -1; ///< data of the box's first item
} // namespace

PartitionChooser::PartitionChooser(QWidget *parent)
    : QWidget(parent)
    , m_box(new QComboBox)
    , m_strip(new PartitionStrip)
{
    m_box->setObjectName(u"partitionBox"_s);
    m_box->setAccessibleName(tr("Partition"));
    m_box->setMinimumContentsLength(12);
    m_box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_box->addItem(tr("by key"), kByKey);
    m_strip->setObjectName(u"partitionStrip"_s);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(6);
    layout->addWidget(m_box);
    layout->addWidget(m_strip);
    setFocusProxy(m_box);
    connect(m_box, &QComboBox::activated, this, &PartitionChooser::changed);
}

void PartitionChooser::setTopic(const TopicInfo *topic)
{
    const QList<PartitionInfo> partitions = topic ? topic->partitions : QList<PartitionInfo>();
    m_strip->setPartitions(partitions);
    QList<int> wanted{kByKey};
    for (const PartitionInfo &partition : partitions)
        wanted << partition.id.value;
    QList<int> shown;
    for (int i = 0; i < m_box->count(); ++i)
        shown << m_box->itemData(i).toInt();
    if (shown == wanted)
        return; // its list may be open
    const std::optional<PartitionId> chosen = byHand();
    const QSignalBlocker blocker(m_box);
    m_box->clear();
    for (const int id : std::as_const(wanted))
        m_box->addItem(id == kByKey ? tr("by key") : tr("by hand: %1").arg(id), id);
    setByHand(chosen);
}

void PartitionChooser::setOtherwise(const QString &text)
{
    m_box->setItemText(0, text);
}

std::optional<PartitionId> PartitionChooser::byHand() const
{
    const int id = m_box->currentData().toInt();
    return id == kByKey ? std::nullopt : std::optional(PartitionId{id});
}

void PartitionChooser::setByHand(std::optional<PartitionId> partition)
{
    const int wanted = partition ? partition->value : kByKey;
    if (m_box->findData(wanted) < 0)
        m_box->addItem(tr("by hand: %1").arg(wanted), wanted);
    m_box->setCurrentIndex(m_box->findData(wanted));
}

void PartitionChooser::setChosen(std::optional<PartitionId> partition)
{
    m_strip->setChosen(partition);
}

} // namespace topicscope::ui
