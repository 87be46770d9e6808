#pragma once

#include "core/session/brokersession.h"
#include "core/transfer/recordfile.h"

#include <QFile>

#include <map>
#include <optional>
#include <vector>

namespace topicscope::transfer
{

/// An exported NDJSON file as a source: SessionConfig::host is its path. Read once while opening,
/// which checks every line and keeps 16 bytes of each; afterwards records are read where they
/// stand. What a partition's range lacks in the file is a gap that says so. Publishing and
/// following are refused. An opening that is interrupted goes on with the next call.
/// Thread: confined to one; blocking.
class FileSession final : public BrokerSession
{
public:
    explicit FileSession(const SessionConfig &config);

    Capabilities capabilities() const override { return m_capabilities; }
    Result<void> open(const CallContext &context) override;
    Result<TopicList> listTopics(const CallContext &context) override;
    Result<FetchResult> fetch(const FetchRequest &request, const CallContext &context) override;
    Result<std::unique_ptr<RecordFollower>> follow(const FollowRequest &request,
                                                   const CallContext &context) override;
    void close() override;

private:
    /// A line with a record or a note.
    struct Entry {
        Offset offset;
        qint64 position = 0; ///< of the line, in the file
    };
    struct Partition {
        std::vector<Entry> entries; ///< in offset order
        std::optional<Offset> begin;
        Offset covered; ///< first offset behind the last entry
        Offset end;     ///< of the range: at least `covered`
    };

    Result<PublishResult> doPublish(const PublishRequest &request,
                                    const CallContext &context) override;
    Result<void> index(const FileLine &line);
    Result<void> indexRows(const TopicPartition &partition, Offset first, Offset end);
    Result<Partition *> partitionOf(const TopicPartition &partition);
    Error wrong(const QString &why) const;

    QFile m_file;
    std::optional<RecordFileReader> m_reader; ///< set while the file is open
    bool m_isIndexed = false;
    Capabilities m_capabilities;
    std::map<TopicPartition, Partition> m_partitions;
};

} // namespace topicscope::transfer
