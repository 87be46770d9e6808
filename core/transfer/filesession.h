#pragma once

#include "core/session/brokersession.h"
#include "core/transfer/fileindex.h"

#include <QFile>

#include <memory>
#include <optional>

namespace topicscope::transfer
{

/// An exported NDJSON file as a source: SessionConfig::host is its path. Read once while opening,
/// for all sessions on it together (see FileIndex); afterwards records are read where they stand.
/// What a partition's range lacks in the file is a gap that says so. Publishing and following are
/// refused. An opening that is interrupted goes on with the next call.
/// Thread: confined to one; blocking.
class FileSession final : public BrokerSession
{
public:
    explicit FileSession(const SessionConfig &config);

    Capabilities capabilities() const override;
    QString remark() const override;
    /// Takes as long as reading the file does: its deadline is not looked at, a stop is.
    Result<void> open(const CallContext &context) override;
    Result<TopicList> listTopics(const CallContext &context) override;
    Result<FetchResult> fetch(const FetchRequest &request, const CallContext &context) override;
    Result<std::unique_ptr<RecordFollower>> follow(const FollowRequest &request,
                                                   const CallContext &context) override;
    /// Reads at most FileIndex::kStretch lines of a partition.
    Result<QList<TimeOffset>> offsetsAtTime(const QList<TopicPartition> &partitions, qint64 timeMs,
                                            const CallContext &context) override;
    void close() override;

private:
    Result<PublishResult> doPublish(const PublishRequest &request,
                                    const CallContext &context) override;

    Error changed(qint64 position);
    /// The line of this entry, which is a record or a note. @error Io, also when it is another one.
    Result<FileLine> lineAt(const TopicPartition &partition, const FileIndex::Entry &entry);
    Result<TimeOffset> offsetAtTime(const TopicPartition &name,
                                    const FileIndex::Partition &partition, qint64 timeMs,
                                    const CallContext &context);

    QFile m_file;
    std::shared_ptr<FileIndex> m_index;       ///< set while it is being opened, and then
    std::optional<RecordFileReader> m_reader; ///< set while the file is open
};

} // namespace topicscope::transfer
