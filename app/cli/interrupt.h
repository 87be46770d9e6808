#pragma once

#include <QtGlobal>

#include <stop_token>
#include <thread>

namespace topicscope::cli
{

/// Turns Ctrl-C and SIGTERM into a stop request, for as long as it lives. Blocking calls take the
/// token and come back; what was read is still printed. A second signal ends the program at once.
///
/// A handler may only set a flag, and nobody would look at it during a blocking call; so one thread
/// does nothing but wait for the signals. Make it before any other thread.
class Interrupt
{
public:
    Interrupt();
    ~Interrupt();
    Q_DISABLE_COPY_MOVE(Interrupt)

    std::stop_token token() const { return m_stop.get_token(); }

private:
    std::stop_source m_stop;
    std::thread m_waiter;
};

} // namespace topicscope::cli
