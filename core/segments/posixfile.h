#pragma once

#include "core/base/result.h"

#include <QString>

#include <cstddef>
#include <ctime>
#include <memory>
#include <span>

namespace topicscope
{

/// A regular file by descriptor, with positioned reads and writes that are never cut short. Closed
/// with the last shared pointer, so a reader keeps a file that was unlinked meanwhile.
/// @error Io, with the path and the system's own message; here and in every function below.
/// Retriable when only descriptors were lacking: nothing was touched then.
/// Thread: const functions any; the others one at a time.
class PosixFile final
{
public:
    enum class Mode {
        ReadOnly,
        ReadWrite,
        CreateNew, ///< fails when the name exists
        CreateOrOpen,
    };

    static Result<std::shared_ptr<PosixFile>> open(const QString &path, Mode mode);
    ~PosixFile();
    Q_DISABLE_COPY_MOVE(PosixFile)

    const QString &path() const { return m_path; }
    int descriptor() const { return m_descriptor; }

    Result<qint64> size() const;
    /// Fills `into` from `position` on. @return bytes read: all of them unless the file ends.
    Result<qint64> read(qint64 position, std::span<std::byte> into) const;
    Result<void> write(qint64 position, std::span<const std::byte> bytes);
    Result<void> resize(qint64 bytes);
    /// Waits until the contents (and the length) are on the medium.
    Result<void> sync() const;
    /// First position at or behind `position` that may hold something else than a hole; the file's
    /// length when there is none. `position` itself where the file system does not know.
    qint64 nextData(qint64 position, qint64 fileBytes) const;

    Result<timespec> modified() const;
    /// Sets the modification time back, after a repair that must not make the file look young.
    Result<void> setModified(timespec time);

private:
    PosixFile(QString path, int descriptor)
        : m_path(std::move(path))
        , m_descriptor(descriptor)
    {
    }

    QString m_path;
    int m_descriptor = -1;
};

/// Waits until the names in a directory (a file just created, say) are on the medium.
Result<void> syncDirectory(const QString &path);

} // namespace topicscope
