#include "core/transfer/filelock.h"

#include "core/transfer/fileerror.h"

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
    if (why == EWOULDBLOCK)
        return fileError(ErrorKind::Busy, file.fileName(), u"another run is writing it"_s);
    return fileError(ErrorKind::Io, file.fileName(), qt_error_string(why));
}

} // namespace topicscope::transfer
