#include "core/broker/directorylock.h"

#include "core/base/bytewriter.h"
#include "core/segments/posixfile.h"

#include <QCoreApplication>
#include <QDir>

#include <array>
#include <cerrno>
#include <sys/file.h>

namespace topicscope::broker
{

using namespace Qt::StringLiterals;

namespace
{

constexpr size_t kMaxOwnerBytes = 20; ///< digits of a process number

/// The process number in the file of a broker that runs; for the message only.
QString owner(const PosixFile &file)
{
    std::array<std::byte, kMaxOwnerBytes> bytes; // NOLINT(*-member-init): filled by read()
    const auto read = file.read(0, bytes);
    bool isNumber = false;
    const qint64 number =
        read ? toByteArray(std::span(bytes).first(size_t(*read))).trimmed().toLongLong(&isNumber)
             : 0;
    return isNumber ? u"process %1"_s.arg(number) : u"process unknown"_s;
}

} // namespace

Result<DirectoryLock> DirectoryLock::take(const QString &directory)
{
    const QString path = QDir(directory).filePath(u".topicscope.lock"_s);
    const auto file = PosixFile::open(path, PosixFile::Mode::CreateOrOpen);
    if (!file)
        return file.error();
    if (flock((*file)->descriptor(), LOCK_EX | LOCK_NB) != 0) {
        const QString why =
            errno == EWOULDBLOCK
                ? u"another broker uses this data directory (%1)"_s.arg(owner(**file))
                : u"the data directory cannot be locked: %1"_s.arg(qt_error_string(errno));
        return Error::make(ErrorKind::Io, why, {{}, {}, {}, QDir(directory).absolutePath(), {}});
    }
    const QByteArray number = QByteArray::number(QCoreApplication::applicationPid()) + '\n';
    if (auto emptied = (*file)->resize(0); !emptied)
        return emptied.error();
    if (auto written = (*file)->write(0, asBytes(number)); !written)
        return written.error();
    return DirectoryLock(*file);
}

} // namespace topicscope::broker
