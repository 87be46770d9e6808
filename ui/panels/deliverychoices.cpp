#include "ui/panels/deliverychoices.h"

#include "core/session/capabilities.h"
#include "ui/panels/composepreview.h"

#include <QComboBox>
#include <QCoreApplication>

namespace topicscope::ui
{

void offerPartitioners(QComboBox *box, const Capabilities &capabilities)
{
    box->clear();
    for (const PartitionAlgorithm algorithm : capabilities.partitioners) {
        box->addItem(Partitioner(algorithm).name(), QVariant::fromValue(algorithm));
        box->setItemData(box->count() - 1, Partitioner(algorithm).title(), Qt::ToolTipRole);
    }
}

void offerCompressions(QComboBox *box, const Capabilities &capabilities)
{
    box->clear();
    for (const Compression one : capabilities.compressions)
        box->addItem(one == Compression::None
                         ? QCoreApplication::translate("DeliveryChoices", "uncompressed")
                         : compressionName(one),
                     QVariant::fromValue(one));
}

void offerAckPolicies(QComboBox *box, const Capabilities &capabilities)
{
    box->clear();
    for (const AckPolicy policy : capabilities.ackPolicies) {
        box->addItem(ackPolicyName(policy), QVariant::fromValue(policy));
        box->setItemData(box->count() - 1, ackPromise(policy), Qt::ToolTipRole);
    }
}

} // namespace topicscope::ui
