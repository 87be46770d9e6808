#include "app/cli/interrupt.h"

#include <csignal>
#include <pthread.h>

namespace topicscope::cli
{

namespace
{

constexpr int kWakeSignal = SIGUSR1; ///< ends the waiter

/// SIGTERM, and SIGINT unless our parent wants us not to hear it (a job in the background).
sigset_t signalsWanted()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    struct sigaction action {
    };
    if (sigaction(SIGINT, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
        sigaddset(&set, SIGINT);
    return set;
}

} // namespace

Interrupt::Interrupt()
{
    const sigset_t set = signalsWanted();
    sigset_t wake;
    sigemptyset(&wake);
    sigaddset(&wake, kWakeSignal);
    sigset_t both = set;
    sigaddset(&both, kWakeSignal);
    pthread_sigmask(SIG_BLOCK, &both, nullptr); // inherited by the waiter
    m_waiter = std::thread([stop = m_stop, set, wake, both]() mutable {
        int signal = 0;
        sigwait(&both, &signal);
        if (signal == kWakeSignal)
            return;
        stop.request_stop();
        pthread_sigmask(SIG_UNBLOCK, &set, nullptr); // the next one does what it always does
        sigwait(&wake, &signal);
    });
}

Interrupt::~Interrupt()
{
    pthread_kill(m_waiter.native_handle(), kWakeSignal);
    m_waiter.join();
}

} // namespace topicscope::cli
