#include "ui/panels/composepreview.h"

#include "core/hash/partitioner.h"
#include "core/records/payloadformat.h"

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

std::span<const std::byte> bytesOf(const QByteArray &bytes)
{
    return std::as_bytes(std::span(bytes.constData(), size_t(bytes.size())));
}

QString shortName(PartitionAlgorithm algorithm)
{
    switch (algorithm) {
    case PartitionAlgorithm::BooblikFnv1a:
        return tr("FNV-1a");
    case PartitionAlgorithm::BooblikLegacy:
        return tr("before 0.3");
    case PartitionAlgorithm::KafkaMurmur2:
        return tr("murmur2");
    case PartitionAlgorithm::RdkafkaCrc32:
        return tr("CRC-32");
    case PartitionAlgorithm::RdkafkaFnv1a:
        return tr("librdkafka FNV-1a");
    }
    return {};
}

} // namespace

PartitionChoice choosePartition(const TopicInfo &topic, const std::optional<QByteArray> &key,
                                std::optional<PartitionId> byHand,
                                const QList<PartitionAlgorithm> &partitioners)
{
    PartitionChoice choice;
    const auto count = qint32(topic.partitions.size());
    QString byKey;
    std::optional<PartitionId> selected;
    QStringList others;
    if (key) {
        for (const PartitionAlgorithm algorithm : partitioners) {
            const auto explained = Partitioner(algorithm).explain(bytesOf(*key), count);
            if (!explained)
                continue;
            const PartitionId id = topic.partitions[explained->index].id;
            if (!selected) { // the first one is what we publish with
                selected = id;
                byKey = explained->formula;
            } else {
                others << u"%1: %2"_s.arg(shortName(algorithm)).arg(id.value);
            }
        }
    }
    if (byHand) {
        choice.partition = byHand;
        choice.text = selected && *selected != *byHand
                          ? tr("by hand → partition %1 (the key %2 would select %3)")
                                .arg(byHand->value)
                                .arg(keyWords(*key))
                                .arg(selected->value)
                          : tr("by hand → partition %1").arg(byHand->value);
    } else if (selected) {
        choice.partition = selected;
        choice.text = tr("%1 → %2 → partition %3").arg(keyWords(*key), byKey).arg(selected->value);
    } else if (!key) {
        choice.text = tr("no key: partitions in turn");
    }
    choice.others = others.join(u" · "_s);
    return choice;
}

QString keyWords(const QByteArray &key)
{
    if (key.isEmpty())
        return tr("empty key (0 bytes)");
    if (isValidUtf8(bytesOf(key)))
        return previewText(bytesOf(key), kKeyChars);
    constexpr qsizetype shown = kKeyChars / 3;
    const QString hex = QString::fromLatin1(key.first(qMin(key.size(), shown)).toHex(' '));
    return key.size() > shown ? hex + u'…' : hex;
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
        return tr("in the log of every replica in sync");
    }
    return {};
}

} // namespace topicscope::ui
