#include "ui/panels/composepanel.h"
#include "ui/panels/deliverychoices.h"
#include "ui/panels/headersedit.h"
#include "ui/panels/timestampedit.h"

#include <QComboBox>
#include <QLabel>

#include <utility>

// Of the composer, what an engine lets one choose, and what a topic's records are written in.

namespace topicscope::ui
{

namespace
{

/// Where the box has it.
void select(QComboBox *box, const QVariant &data)
{
    if (const int index = box->findData(data); index >= 0)
        box->setCurrentIndex(index);
}

} // namespace

void ComposePanel::fillChoices()
{
    for (QComboBox *box : {m_ack, m_partitioner, m_compression})
        box->clear();
    // Another engine's clients hash keys in another way: such a choice is one broker's.
    const QString broker = m_target->config().address();
    if (std::exchange(m_choicesFor, broker) != broker) {
        m_partitionerChoice.reset();
        m_compressionChoice = Compression::None;
    }
    if (!session())
        return;
    const Capabilities &capabilities = session()->capabilities();
    offerPartitioners(m_partitioner, capabilities);
    offerCompressions(m_compression, capabilities);
    offerAckPolicies(m_ack, capabilities);
    // Also after a time without a session: forced must not become written unseen.
    if (m_ackChoice)
        setAckPolicy(*m_ackChoice);
    if (m_partitionerChoice)
        setPartitioner(*m_partitionerChoice);
    setCompression(m_compressionChoice);
    m_value->setNoneAllowed(capabilities.nullValues);
    const auto offer = [](QLabel *label, QWidget *field, bool isThere) {
        label->setVisible(isThere);
        field->setVisible(isThere);
    };
    offer(m_partitionerLabel, m_partitioner, !capabilities.partitioners.isEmpty());
    offer(m_ackLabel, m_ack, !capabilities.ackPolicies.isEmpty());
    offer(m_headersLabel, m_headers, capabilities.headers);
    offer(m_timeLabel, m_time, capabilities.timestamps);
    m_compression->setVisible(!capabilities.compressions.isEmpty());
}

std::optional<AckPolicy> ComposePanel::ackPolicy() const
{
    const QVariant item = m_ack->currentData();
    return item.isValid() ? std::optional(item.value<AckPolicy>()) : std::nullopt;
}

void ComposePanel::setAckPolicy(AckPolicy policy)
{
    m_ackChoice = policy;
    select(m_ack, QVariant::fromValue(policy));
}

QList<PartitionAlgorithm> ComposePanel::partitioners() const
{
    if (!session())
        return {};
    QList<PartitionAlgorithm> all = session()->capabilities().partitioners;
    if (const auto chosen = all.indexOf(partitioner()); chosen > 0)
        all.move(chosen, 0);
    return all;
}

PartitionAlgorithm ComposePanel::partitioner() const
{
    const QVariant item = m_partitioner->currentData();
    return item.isValid() ? item.value<PartitionAlgorithm>() : PartitionAlgorithm::BooblikFnv1a;
}

void ComposePanel::setPartitioner(std::optional<PartitionAlgorithm> algorithm)
{
    m_partitionerChoice = algorithm;
    if (algorithm)
        select(m_partitioner, QVariant::fromValue(*algorithm));
    else if (m_partitioner->count() > 0)
        m_partitioner->setCurrentIndex(0);
}

Compression ComposePanel::compression() const
{
    const QVariant item = m_compression->currentData();
    return item.isValid() ? item.value<Compression>() : Compression::None;
}

void ComposePanel::setCompression(Compression compression)
{
    m_compressionChoice = compression;
    select(m_compression, QVariant::fromValue(compression));
}

void ComposePanel::setFormatMemory(FormatMemory memory)
{
    m_formats = std::move(memory);
    recallFormats();
}

void ComposePanel::recallFormats()
{
    setContexts();
    const QString topic = m_target->topic();
    if (!m_formats.recall || topic.isEmpty())
        return;
    const QString connection = m_target->config().endpoint();
    m_key->preferFormat(m_formats.recall(connection, topic, PayloadPart::Key));
    m_value->preferFormat(m_formats.recall(connection, topic, PayloadPart::Value));
}

void ComposePanel::keepFormat(PayloadPart part, const PayloadCodec *format)
{
    if (m_formats.keep && !m_target->topic().isEmpty())
        m_formats.keep(m_target->config().endpoint(), m_target->topic(), part, format);
}

void ComposePanel::setContexts()
{
    m_key->setContext({m_target->topic(), PayloadPart::Key, m_headers->headers()});
    m_value->setContext({m_target->topic(), PayloadPart::Value, m_headers->headers()});
}

void ComposePanel::onHeadersChanged()
{
    setContexts();
    onEdited();
}

} // namespace topicscope::ui
