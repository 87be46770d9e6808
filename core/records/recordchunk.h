#pragma once

#include "core/base/ids.h"
#include "core/records/record.h"

#include <QByteArray>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace topicscope
{

/// The bytes of one fetch answer (or one piece of a file) and the index of the records in them, in
/// the order of their bytes and offsets.
/// Immutable, so it crosses threads as RecordChunkPtr without copying or locking.
/// Thread: any, after construction.
class RecordChunk
{
public:
    /// @param timestampsMs  of each record in ms since the epoch, whatever it is where one has no
    ///                      HasTimestamp; empty when none has
    RecordChunk(TopicPartition partition, QByteArray bytes, std::vector<Record> records,
                std::vector<qint64> timestampsMs = {})
        : m_partition(std::move(partition))
        , m_bytes(std::move(bytes))
        , m_records(std::move(records))
        , m_timestampsMs(std::move(timestampsMs))
    {
    }

    const TopicPartition &partition() const { return m_partition; }
    const std::vector<Record> &records() const { return m_records; }
    bool isEmpty() const { return m_records.empty(); }
    /// All of the answer's bytes, those between the records included.
    std::span<const std::byte> bytes() const
    {
        return std::as_bytes(std::span(m_bytes.constData(), size_t(m_bytes.size())));
    }

    std::span<const std::byte> key(const Record &record) const
    {
        return view(record.keyBegin, record.keySize);
    }
    std::span<const std::byte> value(const Record &record) const
    {
        return view(record.valueBegin, record.valueSize);
    }
    /// The headers in Apache Kafka's record format (see headers.h); empty when there are none. They
    /// stand between key and value.
    std::span<const std::byte> headers(const Record &record) const
    {
        if (!(record.flags & RecordFlag::HasHeaders))
            return {};
        const quint32 begin = record.keyBegin + record.keySize;
        return view(begin, record.valueBegin - begin);
    }
    /// In ms since the epoch, as stored; nullopt without HasTimestamp.
    /// @param record  one of records() itself: a copy has no place here
    std::optional<qint64> timestampMs(const Record &record) const
    {
        const auto index = size_t(&record - m_records.data());
        if (!record.flags.testFlag(RecordFlag::HasTimestamp) || index >= m_timestampsMs.size())
            return std::nullopt;
        return m_timestampsMs[index];
    }
    /// The record as it is stored, header included: for booblik i32 size, u32 CRC-32C, body.
    std::span<const std::byte> frame(const Record &record) const
    {
        return view(record.valueBegin + record.valueSize - record.frameBytes, record.frameBytes);
    }
    /// The checksum stored with the record; nullopt where the engine has none per record.
    std::optional<quint32> storedCrc(const Record &record) const;
    /// The checksum of the value as it is here, computed now.
    quint32 computedCrc(const Record &record) const;

    /// Memory this chunk holds, in bytes, its index included.
    qint64 heldBytes() const
    {
        return qint64(m_bytes.capacity()) + qint64(m_records.capacity() * sizeof(Record)) +
               qint64(m_timestampsMs.capacity() * sizeof(qint64));
    }

private:
    std::span<const std::byte> view(quint32 begin, quint32 size) const
    {
        return bytes().subspan(begin, size);
    }

    TopicPartition m_partition;
    QByteArray m_bytes;
    std::vector<Record> m_records;
    std::vector<qint64> m_timestampsMs;
};

using RecordChunkPtr = std::shared_ptr<const RecordChunk>;

/// A chunk of some of another's records: a copy of their frames alone. `chosen` are positions in
/// chunk->records(), ascending; with all of them it is the chunk itself. Thread: any (pure).
RecordChunkPtr subsetOf(const RecordChunkPtr &chunk, std::span<const size_t> chosen);

} // namespace topicscope
