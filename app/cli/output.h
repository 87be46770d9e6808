#pragma once

#include <QByteArray>
#include <QString>

#include <stop_token>

namespace topicscope::cli
{

/// Standard output, buffered. A reader that went away (broken pipe) and a full disk are states, not
/// signals: after either, everything written is dropped and ok() is false. A reader that is slow
/// is waited for, until `stop` is requested.
/// Thread: confined to one. Text is written as UTF-8, whatever the locale.
class Output
{
public:
    explicit Output(std::stop_token stop = {});
    ~Output() = default;
    Q_DISABLE_COPY_MOVE(Output)

    void line(const QString &text);
    void line(const QByteArray &utf8);
    void bytes(const QByteArray &bytes);
    /// Hands over what is buffered.
    void flush();
    /// False when writing makes no sense any more.
    bool ok() const { return m_state == State::Open; }
    /// Whether the reader of a pipe has gone, also when nothing was written meanwhile.
    bool readerGone();
    /// Flushes; `code`, unless the output failed: then ExitFailed with a message, or ExitOk when
    /// the reader just went away.
    int finish(int code);

private:
    enum class State { Open, ReaderGone, Failed, GivenUp };

    QByteArray m_buffer;
    std::stop_token m_stop;
    State m_state = State::Open;
    int m_errno = 0;
};

/// Prints a text (a help, a version) and returns the exit code.
int printText(const QString &text);

} // namespace topicscope::cli
