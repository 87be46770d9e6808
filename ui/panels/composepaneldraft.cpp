#include "ui/panels/composepanel.h"
#include "ui/panels/partitionchooser.h"

// Of the composer, what concerns the record as a whole: given from elsewhere, cleared, brought
// back.

namespace topicscope::ui
{

bool ComposePanel::isEmpty() const
{
    const Payload &value = m_value->payload();
    return value.kind == Payload::Kind::Bytes && value.size == 0 &&
           m_key->payload().kind == Payload::Kind::None;
}

void ComposePanel::setDraft(const std::optional<QByteArray> &value,
                            const ComposeTarget::Place &place, std::optional<PartitionId> partition)
{
    PublishRequest request;
    request.topic = place.topic;
    request.partition = partition;
    request.value = value;
    request.ack = ackPolicy().value_or(m_ackChoice.value_or(AckPolicy::Written));
    setRequest(request, place);
}

void ComposePanel::setRequest(const PublishRequest &request, const ComposeTarget::Place &place)
{
    keepForUndo();
    m_message.clear();
    ComposeTarget::Place target = place;
    target.topic = request.topic;
    m_target->setPlace(target);
    m_key->setBytes(request.key);
    m_value->setBytes(request.value);
    m_partition->setByHand(request.partition);
    setAckPolicy(request.ack);
    onEdited();
}

ComposePanel::Draft ComposePanel::draft() const
{
    return {m_target->place(), m_key->state(), m_value->state(), m_partition->byHand(),
            ackPolicy().value_or(m_ackChoice.value_or(AckPolicy::Written))};
}

void ComposePanel::setDraftState(const Draft &draft)
{
    m_target->setPlace(draft.target);
    m_key->setState(draft.key);
    m_value->setState(draft.value);
    m_partition->setByHand(draft.byHand);
    setAckPolicy(draft.ack);
    onEdited();
}

void ComposePanel::keepForUndo()
{
    if (!isEmpty())
        m_undo = draft();
}

void ComposePanel::clear()
{
    keepForUndo();
    m_message.clear();
    m_key->setState({PayloadEdit::Mode::None, PayloadEdit::Mode::Text, {}, {}, {}});
    m_value->setState({PayloadEdit::Mode::Text, PayloadEdit::Mode::Text, {}, {}, {}});
}

void ComposePanel::undo()
{
    if (m_undo)
        setDraftState(std::exchange(*m_undo, draft()));
}

} // namespace topicscope::ui
