#include "core/base/digits.h"
#include "core/session/recordsize.h"
#include "ui/panels/composepanel.h"
#include "ui/panels/composepreview.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/headersedit.h"
#include "ui/panels/partitionchooser.h"
#include "ui/panels/targetrules.h"
#include "ui/panels/timestampedit.h"
#include "ui/plaintooltip.h"

#include <QDateTime>

// Of the composer, what is said about a record before it is sent: where it goes, what its topic
// will do with it, how large it is.

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

/// Of a target that can be published to, while somebody looks.
void ComposePanel::wantRules()
{
    const TopicInfo *topic = m_target->topicInfo();
    const bool wanted = isVisible() && session() && session()->capabilities().topicRules &&
                        !session()->config().readOnly && topic && !topic->error;
    m_rules->setTarget(wanted ? session() : nullptr, wanted ? topic->name : QString());
}

void ComposePanel::refreshPreview()
{
    const Payload &key = m_key->payload();
    m_partition->setOtherwise(chooserWords(key.kind != Payload::Kind::None, partitioner()));
    const TopicInfo *topic = m_target->topicInfo();
    const auto byHand = m_partition->byHand();
    if (!topic || topic->partitions.isEmpty() || (key.kind == Payload::Kind::Invalid && !byHand)) {
        m_partition->setChosen(std::nullopt);
        m_preview->setLine({});
        return;
    }
    const PartitionChoice choice = choosePartition(*topic, key.bytes, byHand, partitioners());
    m_partition->setChosen(choice.partition);
    m_preview->setLine(choice.others.isEmpty() ? choice.text
                                               : choice.text + u"; "_s + choice.others);
}

/// What is worth knowing beside the preview.
void ComposePanel::refreshNote()
{
    const Payload &key = m_key->payload();
    const bool hasKey = key.kind == Payload::Kind::Bytes || key.kind == Payload::Kind::File;
    const auto time = m_time->isValid() ? m_time->timestampMs() : std::nullopt;
    QString note;
    if (session() && hasKey && !session()->capabilities().keys)
        note = tr("The key is not stored");
    else if (session() && time && session()->capabilities().timestamps)
        note = timeWarning(*time, QDateTime::currentMSecsSinceEpoch());
    const auto &rules = m_rules->rules();
    m_key->setNoneSentence(noKeyWords(rules), rules && rules->compacted
                                                  ? icon(IconName::Warning, Tone::Danger)
                                                  : QIcon());
    m_value->setNoneSentence(noValueWords(rules));
    if (key.kind == Payload::Kind::None && rules && rules->compacted)
        note = tr("The topic is compacted: a record without a key is refused");
    if (const auto words = tooLargeWords(recordBytes(), rules, compression()); !words.isEmpty())
        note = words;
    m_note->setLine(note, icon(IconName::Warning, Tone::Warning));
    m_note->setVisible(!note.isEmpty());
}

/// Of key, value and headers, before compression.
qint64 ComposePanel::recordBytes() const
{
    return topicscope::recordBytes(m_key->payload().size, m_value->payload().size,
                                   m_headers->headers());
}

void ComposePanel::refreshSize()
{
    const Payload &value = m_value->payload();
    const auto &rules = m_rules->rules();
    const bool isNull = value.kind == Payload::Kind::None;
    const QString bytes = value.kind == Payload::Kind::Invalid ? u"–"_s : groupedDigits(value.size);
    QString text = isNull ? tr("null value") : tr("%1 bytes").arg(bytes);
    // Where an engine takes nearly anything, it is the topic that has a limit.
    constexpr qint64 kWorthTelling = qint64(100) * 1024 * 1024;
    const qint64 limit = maxValueBytes();
    QString toolTip;
    if (rules && rules->maxRecordBytes) {
        const QString most = groupedDigits(*rules->maxRecordBytes);
        text += rules->limitIsDefault ? tr(", limit %1 (broker's default)").arg(most)
                                      : tr(", topic's limit %1").arg(most);
        toolTip = tr("max.message.bytes: at most %1 bytes for a whole record as it is stored, with "
                     "key and headers, compressed. This one has at least %2 before that.")
                      .arg(most, groupedDigits(recordBytes() + rules->recordOverhead));
    } else if (!isNull && limit > 0 && limit < kWorthTelling) {
        text = tr("%1 of %2 bytes").arg(bytes, groupedDigits(limit));
    }
    m_size->setLine(text);
    m_size->setTone(tooLargeWords(recordBytes(), rules, compression()).isEmpty() ? Tone::Normal
                                                                                 : Tone::Danger);
    if (!toolTip.isEmpty())
        m_size->setToolTip(plainToolTip(toolTip));
}

} // namespace topicscope::ui
