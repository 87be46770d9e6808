#pragma once

#include <QtGlobal>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace topicscope::test
{

/// While one of these lives, this process can open nothing more; what is open stays usable.
class NoDescriptorsLeft
{
public:
    NoDescriptorsLeft()
    {
        const int lowestFree = open("/dev/null", O_RDONLY);
        close(lowestFree);
        if (lowestFree < 0 || getrlimit(RLIMIT_NOFILE, &m_before) != 0)
            qFatal("no limit to lower");
        struct rlimit lowered = m_before;
        lowered.rlim_cur = rlim_t(lowestFree);
        setrlimit(RLIMIT_NOFILE, &lowered);
    }
    ~NoDescriptorsLeft() { setrlimit(RLIMIT_NOFILE, &m_before); }
    Q_DISABLE_COPY_MOVE(NoDescriptorsLeft)

private:
    struct rlimit m_before = {};
};

} // namespace topicscope::test
