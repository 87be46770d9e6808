#pragma once

#include <QFile>

#include <algorithm>
#include <sys/mman.h>

namespace topicscope::test
{

/// By how much this process asks for more memory than it has, touched or not, while one of these
/// lives. Its peak never falls, so what it had before and has no longer is reserved meanwhile.
class MemoryGrowth
{
public:
    MemoryGrowth()
        : m_before(statusKiB("VmPeak:"))
        , m_reservedBytes(size_t(std::max(qint64(0), m_before - statusKiB("VmSize:"))) * 1024)
        , m_reserved(mmap(nullptr, m_reservedBytes, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))
    {
    }
    ~MemoryGrowth()
    {
        if (m_reserved != MAP_FAILED)
            munmap(m_reserved, m_reservedBytes);
    }
    Q_DISABLE_COPY_MOVE(MemoryGrowth)

    /// So far, at its highest.
    qint64 kiB() const { return statusKiB("VmPeak:") - m_before; }

private:
    static qint64 statusKiB(QByteArrayView name)
    {
        QFile status(QStringLiteral("/proc/self/status"));
        const QByteArray text = status.open(QIODevice::ReadOnly) ? status.readAll() : QByteArray();
        const auto at = text.indexOf(name);
        if (at < 0)
            qFatal("the memory of this process cannot be told");
        return text.mid(at + name.size(), 20).trimmed().split(' ').first().toLongLong();
    }

    qint64 m_before;
    size_t m_reservedBytes; ///< 0: mmap() refuses, and nothing is missing
    void *m_reserved;
};

} // namespace topicscope::test
