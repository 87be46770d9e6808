#pragma once

#include "core/session/capabilities.h"
#include "core/session/topicinfo.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace topicscope::ui
{

// What the composer says about a record before it is sent. Pure.

/// Where a record would go, and why.
struct PartitionChoice {
    std::optional<PartitionId> partition; ///< nullopt: decided at sending
    QString text;   ///< "order-42 → FNV-1a 0x572446f4 mod 3 = 2 → partition 2"
    QString others; ///< "before 0.3: 0 · murmur2: 0 · …"; each hash once; empty without a key
};

/// @param topic  with at least one partition
/// @param key    nullopt: no key; an empty one is a key
/// @param partitioners  the first is what we publish with, the others are told beside it
PartitionChoice choosePartition(const TopicInfo &topic, const std::optional<QByteArray> &key,
                                std::optional<PartitionId> byHand,
                                const QList<PartitionAlgorithm> &partitioners);

/// What chooses the partition of a record where it is not done by hand, in two words.
QString chooserWords(bool hasKey, PartitionAlgorithm algorithm);

/// The key as one short line: drawn text, hex when it is none, "empty key (0 bytes)".
QString keyWords(const QByteArray &key);

/// Why a record's time may not be what is meant, or be refused; empty: it is an ordinary one.
QString timeWarning(qint64 timestampMs, qint64 nowMs);

/// What no key and no value mean to the topic; nullopt: it is not known what it demands.
QString noKeyWords(const std::optional<TopicRules> &rules);
QString noValueWords(const std::optional<TopicRules> &rules);

/// Why a record with `bytes` of key, value and headers is, or may be, too large for the topic;
/// empty: nothing is known against it.
QString tooLargeWords(qint64 bytes, const std::optional<TopicRules> &rules,
                      Compression compression);

/// What the broker promises when it answers.
QString ackPromise(AckPolicy policy);

} // namespace topicscope::ui
