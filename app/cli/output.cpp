#include "app/cli/output.h"

#include "app/cli/command.h"
#include "app/cli/errorlines.h"

#include <QElapsedTimer>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype kBufferBytes = qsizetype{64} * 1024;
/// What a pipe that polls as writable takes without blocking.
constexpr qsizetype kChunkBytes = 4096;
constexpr int kSliceMs = 20;
/// How long an interrupted program tries to hand over what it has read.
constexpr int kGraceMs = 500;

} // namespace

Output::Output(std::stop_token stop)
    : m_stop(std::move(stop))
{
    std::signal(SIGPIPE, SIG_IGN);
}

void Output::line(const QString &text)
{
    line(text.toUtf8());
}

void Output::line(const QByteArray &utf8)
{
    bytes(utf8);
    bytes("\n");
}

void Output::bytes(const QByteArray &bytes)
{
    if (!ok())
        return;
    m_buffer += bytes;
    if (m_buffer.size() >= kBufferBytes)
        flush();
}

void Output::flush()
{
    QElapsedTimer sinceStop;
    qsizetype done = 0;
    while (ok() && done < m_buffer.size()) {
        if (m_stop.stop_requested()) {
            if (!sinceStop.isValid())
                sinceStop.start();
            else if (sinceStop.elapsed() > kGraceMs)
                m_state = State::GivenUp;
        }
        pollfd ready{STDOUT_FILENO, POLLOUT, 0};
        if (poll(&ready, 1, kSliceMs) == 0)
            continue;
        const qsizetype count = std::min(kChunkBytes, m_buffer.size() - done);
        const ssize_t written = write(STDOUT_FILENO, m_buffer.constData() + done, size_t(count));
        if (written >= 0) {
            done += written;
        } else if (errno == EPIPE) {
            m_state = State::ReaderGone;
        } else if (errno != EINTR && errno != EAGAIN) {
            m_state = State::Failed;
            m_errno = errno;
        }
    }
    m_buffer.clear();
}

bool Output::readerGone()
{
    pollfd pipe{STDOUT_FILENO, 0, 0};
    if (ok() && poll(&pipe, 1, 0) > 0 && (pipe.revents & POLLERR) != 0)
        m_state = State::ReaderGone;
    return m_state == State::ReaderGone;
}

int Output::finish(int code)
{
    flush();
    if (m_state == State::Failed) {
        printError(u"cannot write to standard output: %1"_s.arg(
            QString::fromLocal8Bit(std::strerror(m_errno))));
        return ExitFailed;
    }
    return m_state == State::ReaderGone ? int(ExitOk) : code;
}

int printText(const QString &text)
{
    Output out;
    out.bytes(text.toUtf8());
    return out.finish(ExitOk);
}

} // namespace topicscope::cli
