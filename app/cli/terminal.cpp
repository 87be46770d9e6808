#include "app/cli/terminal.h"

#include <QByteArray>

#include <cstdio>

#ifdef Q_OS_UNIX
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>
#endif

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

#ifdef Q_OS_UNIX
namespace
{

/// The terminal without echo, and Ctrl-C a character like others, so that the echo comes back.
class SilentTerminal
{
public:
    explicit SilentTerminal(int terminal)
        : m_terminal(terminal)
    {
        tcgetattr(m_terminal, &m_before);
        termios silent = m_before;
        silent.c_lflag &= tcflag_t(~(ECHO | ICANON | ISIG));
        tcsetattr(m_terminal, TCSAFLUSH, &silent);
    }
    ~SilentTerminal()
    {
        tcsetattr(m_terminal, TCSAFLUSH, &m_before);
        ::close(m_terminal);
    }
    Q_DISABLE_COPY_MOVE(SilentTerminal)

private:
    int m_terminal;
    termios m_before{};
};

} // namespace

Result<std::optional<QString>> askHidden(const QString &question)
{
    constexpr char kInterrupt = 3;
    constexpr char kEnd = 4;
    constexpr char kBackspace = 8;
    constexpr char kDelete = 127;
    constexpr qsizetype kMost = 100'000;
    // Not standard input: that may hold a record to publish.
    const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (terminal < 0)
        return std::optional<QString>();
    const SilentTerminal silent(terminal);
    const QByteArray text = question.toUtf8() + ' ';
    (void)!::write(terminal, text.constData(), size_t(text.size()));
    QByteArray typed;
    char c = 0;
    while (typed.size() < kMost && ::read(terminal, &c, 1) == 1 && c != '\n' && c != '\r' &&
           c != kEnd) {
        if (c == kInterrupt) {
            (void)!::write(terminal, "\n", 1);
            return Error::make(ErrorKind::Cancelled, {});
        }
        if (c == kBackspace || c == kDelete)
            typed.chop(1);
        else
            typed += c;
    }
    (void)!::write(terminal, "\n", 1);
    return std::optional(QString::fromUtf8(typed));
}
#else
Result<std::optional<QString>> askHidden(const QString & /*question*/)
{
    return std::optional<QString>();
}
#endif

} // namespace topicscope::cli
