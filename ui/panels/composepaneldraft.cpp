#include "ui/panels/composepanel.h"
#include "ui/panels/headersedit.h"
#include "ui/panels/partitionchooser.h"
#include "ui/panels/timestampedit.h"

// Of the composer, what concerns the record as a whole: given from elsewhere, cleared, brought
// back.

namespace topicscope::ui
{

bool ComposePanel::isEmpty() const
{
    // An empty key is a key; a number not typed yet is none.
    const bool noKey = m_key->mode() == PayloadEdit::Mode::None ||
                       (m_key->mode() == PayloadEdit::Mode::Format && m_key->isBlank());
    return noKey && m_value->isBlank() && m_headers->headers().isEmpty();
}

std::optional<RecordContent> ComposePanel::content() const
{
    const auto isHere = [](const Payload &payload) {
        return payload.kind == Payload::Kind::None || payload.kind == Payload::Kind::Bytes;
    };
    if (!isHere(m_key->payload()) || !isHere(m_value->payload()) || !m_time->isValid())
        return std::nullopt;
    return RecordContent{m_key->payload().bytes, m_value->payload().bytes, m_headers->headers(),
                         m_time->timestampMs()};
}

void ComposePanel::setContent(const RecordContent &content)
{
    keepForUndo();
    showContent(content);
}

void ComposePanel::showContent(const RecordContent &content)
{
    m_message.clear();
    m_key->setBytes(content.key);
    m_value->setBytes(content.value);
    m_headers->setHeaders(content.headers);
    m_time->setTimestampMs(content.timestampMs);
    onEdited();
}

void ComposePanel::setDraft(const RecordContent &content, const ComposeTarget::Place &place,
                            std::optional<PartitionId> partition)
{
    keepForUndo();
    m_target->setPlace(place);
    m_partition->setByHand(partition);
    showContent(content);
}

void ComposePanel::setRequest(const PublishRequest &request, const ComposeTarget::Place &place)
{
    ComposeTarget::Place target = place;
    target.topic = request.topic;
    setDraft({request.key, request.value, request.headers, request.timestampMs}, target,
             request.partition);
    setAckPolicy(request.ack);
    setPartitioner(request.partitioner);
    setCompression(request.compression);
    onEdited();
}

ComposePanel::Draft ComposePanel::draft() const
{
    return {m_target->place(),
            m_key->state(),
            m_value->state(),
            m_partition->byHand(),
            ackPolicy().value_or(m_ackChoice.value_or(AckPolicy::Written)),
            m_headers->headers(),
            m_time->timestampMs(),
            m_partitionerChoice,
            m_compressionChoice};
}

void ComposePanel::setDraftState(const Draft &draft)
{
    m_target->setPlace(draft.target);
    m_key->setState(draft.key);
    m_value->setState(draft.value);
    m_headers->setHeaders(draft.headers);
    m_time->setTimestampMs(draft.timestampMs);
    setPartitioner(draft.partitioner);
    setCompression(draft.compression);
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
    m_headers->setHeaders({});
    m_time->setTimestampMs(std::nullopt);
    recallFormats();
}

void ComposePanel::undo()
{
    if (m_undo)
        setDraftState(std::exchange(*m_undo, draft()));
}

} // namespace topicscope::ui
