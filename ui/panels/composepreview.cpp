#include "ui/panels/composepreview.h"

#include "core/base/bytewriter.h"
#include "core/hash/partitioner.h"
#include "core/records/payloadformat.h"
#include "core/records/timestyle.h"
#include "core/session/recordsize.h"

#include <QCoreApplication>
#include <QStringList>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype kKeyChars = 32;

QString tr(const char *text)
{
    return QCoreApplication::translate("ComposePreview", text);
}

/// The hash alone, since a key goes where it says; empty: none is taken.
QString hashName(PartitionAlgorithm algorithm)
{
    switch (algorithm) {
    case PartitionAlgorithm::BooblikFnv1a:
        return tr("FNV-1a");
    case PartitionAlgorithm::BooblikLegacy:
        return tr("before 0.3");
    case PartitionAlgorithm::Murmur2Random:
    case PartitionAlgorithm::Murmur2:
        return tr("murmur2");
    case PartitionAlgorithm::ConsistentRandom:
    case PartitionAlgorithm::Consistent:
        return tr("CRC-32");
    case PartitionAlgorithm::Fnv1aRandom:
    case PartitionAlgorithm::Fnv1a:
        return tr("librdkafka FNV-1a");
    case PartitionAlgorithm::Random:
        break;
    }
    return {};
}

bool takesTurns(PartitionAlgorithm algorithm)
{
    return algorithm == PartitionAlgorithm::BooblikFnv1a ||
           algorithm == PartitionAlgorithm::BooblikLegacy;
}

} // namespace

PartitionChoice choosePartition(const TopicInfo &topic, const std::optional<QByteArray> &key,
                                std::optional<PartitionId> byHand,
                                const QList<PartitionAlgorithm> &partitioners)
{
    PartitionChoice choice;
    const auto count = qint32(topic.partitions.size());
    std::optional<PartitionId> selected;
    QString formula;
    QStringList names; // of hashes told already
    QStringList others;
    for (const PartitionAlgorithm algorithm : partitioners) {
        const auto explained = Partitioner(algorithm).explain(asBytesOrNull(key), count);
        if (!explained)
            continue;
        const QString name = hashName(algorithm);
        const auto id =
            explained->index ? std::optional(topic.partitions[*explained->index].id) : std::nullopt;
        if (names.isEmpty()) { // the first one is what we publish with
            selected = id;
            formula = explained->formula;
        } else if (key && id && !names.contains(name)) {
            others << u"%1: %2"_s.arg(name).arg(id->value);
        }
        names << name;
    }
    const QString words = key ? keyWords(*key) : tr("no key");
    if (byHand) {
        choice.partition = byHand;
        choice.text = key && selected && *selected != *byHand
                          ? tr("by hand → partition %1 (the key %2 would select %3)")
                                .arg(byHand->value)
                                .arg(words)
                                .arg(selected->value)
                          : tr("by hand → partition %1").arg(byHand->value);
    } else if (selected) {
        choice.partition = selected;
        choice.text = tr("%1 → %2 → partition %3").arg(words, formula).arg(selected->value);
    } else if (!partitioners.isEmpty()) {
        choice.text = takesTurns(partitioners.constFirst())
                          ? tr("%1: partitions in turn").arg(words)
                          : tr("%1 → any partition").arg(words);
    }
    choice.others = others.join(u" · "_s);
    return choice;
}

QString chooserWords(bool hasKey, PartitionAlgorithm algorithm)
{
    if (hasKey)
        return tr("by key");
    return takesTurns(algorithm) ? tr("in turn") : tr("by partitioner");
}

QString keyWords(const QByteArray &key)
{
    if (key.isEmpty())
        return tr("empty key (0 bytes)");
    if (isValidUtf8(asBytes(key)) && detectKind(asBytes(key)) != PayloadKind::Binary)
        return previewText(asBytes(key), kKeyChars);
    constexpr qsizetype shown = kKeyChars / 3;
    const QString hex = QString::fromLatin1(key.first(qMin(key.size(), shown)).toHex(' '));
    return key.size() > shown ? hex + u'…' : hex;
}

QString timeWarning(qint64 timestampMs, qint64 nowMs)
{
    constexpr qint64 kHour = 3'600'000;
    constexpr qint64 kYear2000 = 946'684'800'000;
    if (timestampMs == -1)
        return tr("The time −1 is stored as no time");
    if (timestampMs < 0)
        return tr("A negative time: the broker will refuse it");
    if (timestampMs > nowMs + kHour)
        return tr("The time is ahead of now: the broker may refuse it");
    if (timestampMs < kYear2000)
        return tr("The time is in %1: are these milliseconds?")
            .arg(TimeStyle().text(timestampMs).left(4));
    return {};
}

QString noKeyWords(const std::optional<TopicRules> &rules)
{
    return rules && rules->compacted ? tr("no key: will be refused") : tr("no key");
}

QString noValueWords(const std::optional<TopicRules> &rules)
{
    return rules && rules->compacted ? tr("a tombstone: deletes the key")
                                     : tr("no value at all: a tombstone");
}

QString tooLargeWords(qint64 bytes, const std::optional<TopicRules> &rules, Compression compression)
{
    if (!rules || fits(bytes, *rules))
        return {};
    return compression == Compression::None
               ? tr("The record is larger than max.message.bytes: it will be refused")
               : tr("The record is larger than max.message.bytes, unless compressed");
}

QString ackPromise(AckPolicy policy)
{
    switch (policy) {
    case AckPolicy::None:
        return tr("no answer; you will not know");
    case AckPolicy::Written:
        return tr("in the log; survives a killed broker, not a power cut");
    case AckPolicy::Forced:
        return tr("behind a disk barrier");
    case AckPolicy::Acks0:
        return tr("no answer; you will not know");
    case AckPolicy::Acks1:
        return tr("in the leader's log; lost if the leader dies before its replicas have it");
    case AckPolicy::AcksAll:
        return tr("in the log of every replica in sync, once (idempotent)");
    }
    return {};
}

} // namespace topicscope::ui
