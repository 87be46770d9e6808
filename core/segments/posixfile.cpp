#include "core/segments/posixfile.h"

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

Error ioError(const char *what, const QString &path)
{
    const int code = errno;
    Error error =
        Error::make(ErrorKind::Io, u"%1: %2"_s.arg(QLatin1StringView(what), qt_error_string(code)),
                    {{}, {}, {}, path, {}});
    error.retriable = code == EMFILE || code == ENFILE;
    return error;
}

int syncDescriptor(int descriptor)
{
#ifdef Q_OS_DARWIN
    // fsync() alone leaves the data in the drive's cache here.
    return fcntl(descriptor, F_FULLFSYNC);
#else
    return fdatasync(descriptor);
#endif
}

} // namespace

Result<std::shared_ptr<PosixFile>> PosixFile::open(const QString &path, Mode mode)
{
    int flags = O_CLOEXEC;
    switch (mode) {
    case Mode::ReadOnly:
        flags |= O_RDONLY;
        break;
    case Mode::ReadWrite:
        flags |= O_RDWR;
        break;
    case Mode::CreateNew:
        flags |= O_RDWR | O_CREAT | O_EXCL;
        break;
    case Mode::CreateOrOpen:
        flags |= O_RDWR | O_CREAT;
        break;
    }
    const int descriptor = ::open(QFile::encodeName(path).constData(), flags, 0644);
    if (descriptor < 0)
        return ioError(mode == Mode::CreateNew ? "create" : "open", path);
    return std::shared_ptr<PosixFile>(new PosixFile(path, descriptor));
}

PosixFile::~PosixFile()
{
    ::close(m_descriptor);
}

Result<qint64> PosixFile::size() const
{
    struct stat status = {};
    if (fstat(m_descriptor, &status) != 0)
        return ioError("stat", m_path);
    if (!S_ISREG(status.st_mode))
        return Error::make(ErrorKind::Io, u"not a regular file"_s, {{}, {}, {}, m_path, {}});
    return qint64(status.st_size);
}

Result<qint64> PosixFile::read(qint64 position, std::span<std::byte> into) const
{
    size_t done = 0;
    while (done < into.size()) {
        const ssize_t n =
            pread(m_descriptor, into.data() + done, into.size() - done, position + qint64(done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return ioError("read", m_path);
        if (n == 0)
            break;
        done += size_t(n);
    }
    return qint64(done);
}

Result<void> PosixFile::write(qint64 position, std::span<const std::byte> bytes)
{
    size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t n =
            pwrite(m_descriptor, bytes.data() + done, bytes.size() - done, position + qint64(done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return ioError("write", m_path);
        done += size_t(n);
    }
    return {};
}

Result<void> PosixFile::resize(qint64 bytes)
{
    if (ftruncate(m_descriptor, bytes) != 0)
        return ioError("resize", m_path);
    return {};
}

Result<void> PosixFile::sync() const
{
    if (syncDescriptor(m_descriptor) != 0)
        return ioError("sync", m_path);
    return {};
}

qint64 PosixFile::nextData(qint64 position, qint64 fileBytes) const
{
#ifdef SEEK_DATA
    const off_t data = lseek(m_descriptor, position, SEEK_DATA);
    if (data >= 0)
        return qMin(qint64(data), fileBytes);
    return errno == ENXIO ? fileBytes : position;
#else
    Q_UNUSED(fileBytes);
    return position;
#endif
}

Result<timespec> PosixFile::modified() const
{
    struct stat status = {};
    if (fstat(m_descriptor, &status) != 0)
        return ioError("stat", m_path);
#ifdef Q_OS_DARWIN
    return status.st_mtimespec;
#else
    return status.st_mtim;
#endif
}

Result<void> PosixFile::setModified(timespec time)
{
    const timespec times[2] = {{0, UTIME_OMIT}, time};
    if (futimens(m_descriptor, times) != 0)
        return ioError("set times", m_path);
    return {};
}

Result<void> syncDirectory(const QString &path)
{
    const int descriptor =
        ::open(QFile::encodeName(path).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return ioError("open", path);
    // A directory has no data to speak of, so this must be fsync(), not fdatasync().
    const int outcome = fsync(descriptor);
    const Error error = ioError("sync", path);
    ::close(descriptor);
    if (outcome != 0)
        return error;
    return {};
}

} // namespace topicscope
