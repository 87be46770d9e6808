#pragma once

#include "core/base/result.h"

#include <QString>

#include <memory>
#include <utility>

namespace topicscope
{
class PosixFile;
}

namespace topicscope::broker
{

/// A data directory that belongs to one broker, as long as this object lives.
///
/// The system holds the lock (flock) and releases it with the process, however that ends. A file
/// that was left behind therefore says nothing, whatever process number stands in it: numbers are
/// used again, in a container by the very next broker. The file is never removed, or two brokers
/// could lock two files of one name.
/// Thread: any, one at a time.
class DirectoryLock final
{
public:
    /// @error Io; when another broker has the directory, the detail names its process.
    static Result<DirectoryLock> take(const QString &directory);

private:
    explicit DirectoryLock(std::shared_ptr<PosixFile> file)
        : m_file(std::move(file))
    {
    }

    std::shared_ptr<PosixFile> m_file;
};

} // namespace topicscope::broker
