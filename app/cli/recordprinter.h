#pragma once

#include "app/cli/output.h"
#include "app/cli/targets.h"
#include "core/decode/schemaregistry.h"
#include "core/records/jsonline.h"
#include "core/records/payloadcodec.h"
#include "core/search/filter.h"
#include "core/session/capabilities.h"
#include "core/session/fetch.h"

#include <memory>
#include <optional>

namespace topicscope::cli
{

/// How keys and values are written out; null: as text, drawn.
struct PrintedFormats {
    std::shared_ptr<const PayloadCodec> key;
    std::shared_ptr<const PayloadCodec> value;
    std::shared_ptr<SchemaRegistry> registry; ///< that they ask; null: none
};

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
                  const Capabilities &capabilities, PrintedFormats formats = {});

    /// From now on only what matches is wanted, and gaps without damage are not printed.
    void setFilter(const search::Filter &filter) { m_filter = filter; }
    bool wants(const RecordChunk &chunk, const Record &record);
    /// Records the filter could not decide about; not wanted.
    qint64 undecided() const { return m_undecided; }

    void header();
    void record(const RecordChunk &chunk, const Record &record);
    void gap(const TopicPartition &partition, const OffsetGap &gap);
    /// What ended a result before its partition's end; nothing for More and CaughtUp.
    void end(const FetchResult &result);

    /// Whether anything printed was damaged, missing or too large.
    bool hasFindings() const { return m_hasFindings; }
    /// Records that would have been decoded had the schema registry been of use.
    qint64 shownRaw() const { return m_shownRaw; }

private:
    struct Row {
        QString partition, offset, time, key, size, crc, rest;
    };
    void columns(const Row &row);
    QString shown(const RecordChunk &chunk, const Record &record, PayloadPart part, qsizetype most);
    void addDecoded(JsonLine &json, const char *name, const RecordChunk &chunk,
                    const Record &record, PayloadPart part);
    std::optional<DecodedPayload> decoded(const RecordChunk &chunk, const Record &record,
                                          PayloadPart part, qsizetype most);

    Output &m_out;
    Format m_format;
    qint32 m_maxBytes;
    Capabilities m_capabilities;
    int m_partitionWidth = 9;
    int m_offsetWidth = 6;
    PrintedFormats m_formats;
    bool m_hasFindings = false;
    qint64 m_shownRaw = 0;
    bool m_lacksSchema = false; ///< of the record printed now, for want of the registry
    std::optional<search::Filter> m_filter;
    qint64 m_undecided = 0;
};

} // namespace topicscope::cli
