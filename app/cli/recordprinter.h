#pragma once

#include "app/cli/output.h"
#include "app/cli/targets.h"
#include "core/session/capabilities.h"
#include "core/session/fetch.h"

namespace topicscope::cli
{

/// Prints records and what stands in the way of them, as fetch and follow show them.
class RecordPrinter
{
public:
    enum class Format {
        Columns, ///< for people: aligned, one record a line, values drawn and cut
        Json,    ///< for programs: one object a line, nothing lost
        Raw,     ///< the values' bytes and nothing else
    };

    /// Columns are those the engine has something for, as wide as the targets need.
    RecordPrinter(Output &out, Format format, const QList<Target> &targets, qint32 maxBytes,
                  const Capabilities &capabilities);

    void header();
    void record(const RecordChunk &chunk, const Record &record);
    void gap(const TopicPartition &partition, const OffsetGap &gap);
    /// What ended a result before its partition's end; nothing for More and CaughtUp.
    void end(const FetchResult &result);

    /// Whether anything printed was damaged, missing or too large.
    bool hasFindings() const { return m_hasFindings; }

private:
    struct Row {
        QString partition, offset, time, key, size, crc, rest;
    };
    void columns(const Row &row);

    Output &m_out;
    Format m_format;
    qint32 m_maxBytes;
    Capabilities m_capabilities;
    int m_partitionWidth = 9;
    int m_offsetWidth = 6;
    bool m_hasFindings = false;
};

} // namespace topicscope::cli
