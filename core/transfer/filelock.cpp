#include "core/transfer/filelock.h"

#include <cerrno>
#include <sys/file.h>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

Result<void> lockFile(const QFileDevice &file)
{
    if (::flock(file.handle(), LOCK_EX | LOCK_NB) == 0)
        return {};
    const int why = errno;
    const ErrorPlace where{{}, {}, {}, file.fileName(), {}};
    if (why == EWOULDBLOCK)
        return Error::make(ErrorKind::Busy, u"another run is writing it"_s, where);
    return Error::make(ErrorKind::Io, qt_error_string(why), where);
}

} // namespace topicscope::transfer
