#include "core/broker/brokerconnection.h"

#include "core/base/bytewriter.h"
#include "core/booblik/messages.h"

#include <QTimer>
#include <QtEndian>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef Q_OS_LINUX
#include <sys/sendfile.h>
#endif

namespace topicscope::broker
{

namespace
{

constexpr qint64 kQueuedBytesLimit = 256 << 10;      ///< no new request while more is unsent
constexpr qsizetype kUnservedBytesLimit = 256 << 10; ///< read ahead while nothing is handed out
constexpr qsizetype kSharedChunkBytes = 64 << 10;    ///< small answers are joined up to this
constexpr qint64 kCopiedBytes = 64 << 10;            ///< of a file; more is sent from the file
constexpr qint64 kSendBytesPerTurn = 4 << 20;        ///< one client must not keep the thread
constexpr qint64 kDiscardLimit = 16 << 20;
constexpr int kDiscardMs = 2000;
constexpr qsizetype kLengthBytes = 4;

// Not everywhere; a process with Qt's sockets ignores SIGPIPE anyway.
#ifdef Q_OS_LINUX
constexpr int kSendFlags = MSG_NOSIGNAL;
constexpr int kMoreFollows = MSG_MORE; ///< what follows a header belongs into the same packet
#else
constexpr int kSendFlags = 0;
constexpr int kMoreFollows = 0;
#endif

void setOption(int descriptor, int level, int option)
{
    const int on = 1;
    setsockopt(descriptor, level, option, &on, sizeof(on));
}

bool wouldBlock()
{
    return errno == EAGAIN || errno == EWOULDBLOCK;
}

} // namespace

BrokerConnection::BrokerConnection(int descriptor, ConnectionOwner &owner,
                                   std::span<std::byte> scratch, QObject *parent)
    : QObject(parent)
    , m_owner(owner)
    , m_scratch(scratch)
    , m_descriptor(descriptor)
    , m_readable(descriptor, QSocketNotifier::Read)
    , m_writable(descriptor, QSocketNotifier::Write)
{
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    setOption(descriptor, IPPROTO_TCP, TCP_NODELAY);
    setOption(descriptor, SOL_SOCKET, SO_KEEPALIVE);
    m_writable.setEnabled(false);
    connect(&m_readable, &QSocketNotifier::activated, this, &BrokerConnection::readOnce);
    connect(&m_writable, &QSocketNotifier::activated, this, &BrokerConnection::onWritable);
}

BrokerConnection::~BrokerConnection()
{
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void BrokerConnection::readOnce()
{
    if (isClosed() || !m_readable.isEnabled())
        return;
    const ssize_t n = recv(m_descriptor, m_scratch.data(), m_scratch.size(), 0);
    if (n < 0 && (wouldBlock() || errno == EINTR))
        return;
    if (n < 0) {
        close();
        return;
    }
    if (m_discarding) {
        m_discardedBytes += n;
        if (n == 0 || m_discardedBytes > kDiscardLimit)
            close();
        return;
    }
    if (n == 0) {
        m_peerFinished = true;
        updateReading();
        m_owner.onPeerFinished(*this);
    } else {
        receive(m_scratch.first(size_t(n)));
    }
    if (!isClosed())
        m_owner.onActivity(*this);
}

void BrokerConnection::receive(std::span<const std::byte> bytes)
{
    if (m_finishing)
        return;
    if (m_input.isEmpty()) {
        const qsizetype done = handOut(bytes);
        m_input.append(toByteArray(bytes.subspan(size_t(done))));
    } else {
        m_input.append(reinterpret_cast<const char *>(bytes.data()), qsizetype(bytes.size()));
        proceed();
    }
    updateReading();
}

void BrokerConnection::proceed()
{
    if (m_input.isEmpty() || isClosed())
        return;
    m_inputBegin += handOut(asBytes(m_input).subspan(size_t(m_inputBegin)));
    if (m_finishing || isClosed() || m_inputBegin == m_input.size()) {
        m_input = {};
        m_inputBegin = 0;
    } else if (m_inputBegin > m_input.size() / 2) {
        m_input = m_input.sliced(m_inputBegin);
        m_inputBegin = 0;
    }
    updateReading();
}

bool BrokerConnection::mayHandOut() const
{
    const bool fileQueued = !m_output.empty() && m_output.back().file;
    return !m_held && !m_finishing && !isClosed() && !fileQueued &&
           m_outputBytes < kQueuedBytesLimit;
}

/// @return bytes used: whole frames, or everything when the stream cannot go on.
qsizetype BrokerConnection::handOut(std::span<const std::byte> bytes)
{
    size_t position = 0;
    while (mayHandOut() && bytes.size() - position >= size_t(kLengthBytes)) {
        const auto length = qFromBigEndian<qint32>(bytes.data() + position);
        if (length <= 0 || length > booblik::wire::kMaxRequestFrame) {
            finish();
            break;
        }
        if (bytes.size() - position - size_t(kLengthBytes) < size_t(length))
            break;
        m_owner.onFrame(*this, bytes.subspan(position + size_t(kLengthBytes), size_t(length)));
        position += size_t(kLengthBytes) + size_t(length);
    }
    return m_finishing || isClosed() ? qsizetype(bytes.size()) : qsizetype(position);
}

bool BrokerConnection::hasWholeFrame() const
{
    const qsizetype left = m_input.size() - m_inputBegin;
    if (left < kLengthBytes)
        return false;
    const auto length = qFromBigEndian<qint32>(m_input.constData() + m_inputBegin);
    return length <= 0 || length > booblik::wire::kMaxRequestFrame || length <= left - kLengthBytes;
}

/// Reads on unless the client is finished, or enough is there that cannot be served yet.
void BrokerConnection::updateReading()
{
    if (isClosed())
        return;
    const bool full = !mayHandOut() && m_input.size() - m_inputBegin >= kUnservedBytesLimit;
    m_readable.setEnabled(m_discarding || (!m_peerFinished && !m_finishing && !full));
}

void BrokerConnection::release()
{
    m_held = false;
    if (!isClosed())
        m_owner.onActivity(*this);
}

void BrokerConnection::send(const QByteArray &bytes)
{
    if (isClosed())
        return;
    // Small answers share a chunk, but not for ever: what was sent of it is freed with the whole.
    if (m_output.empty() || m_output.back().file ||
        m_output.back().bytes.size() >= kSharedChunkBytes) {
        m_output.push_back({bytes, nullptr, 0, bytes.size()});
    } else {
        m_output.back().bytes.append(bytes);
        m_output.back().left += bytes.size();
    }
    m_outputBytes += bytes.size();
}

void BrokerConnection::sendFile(std::shared_ptr<const PosixFile> file, qint64 position,
                                qint64 bytes)
{
    if (isClosed() || bytes == 0)
        return;
    if (bytes > kCopiedBytes) {
        m_output.push_back({{}, std::move(file), position, bytes});
        m_outputBytes += bytes;
        return;
    }
    QByteArray copy(bytes, Qt::Uninitialized);
    const auto into = std::as_writable_bytes(std::span(copy.data(), size_t(bytes)));
    const auto read = file->read(position, into);
    if (read && *read == bytes)
        send(copy);
    else // its header is queued already: the answer cannot be completed
        abort();
}

void BrokerConnection::onWritable()
{
    m_writable.setEnabled(false);
    m_owner.onActivity(*this);
}

BrokerConnection::Sent BrokerConnection::sendChunk(Chunk &chunk, bool moreFollows, qint64 &budget)
{
    while (chunk.left > 0) {
        if (budget <= 0)
            return Sent::Blocked;
        ssize_t n = 0;
        if (!chunk.file) {
            const int flags = kSendFlags | (moreFollows ? kMoreFollows : 0);
            n = ::send(m_descriptor, chunk.bytes.constData() + chunk.position, size_t(chunk.left),
                       flags);
        } else {
#ifdef Q_OS_LINUX
            off_t from = chunk.position;
            n = sendfile(m_descriptor, chunk.file->descriptor(), &from,
                         size_t(std::min(chunk.left, budget)));
#else
            const auto piece = m_scratch.first(std::min(size_t(chunk.left), m_scratch.size()));
            const auto read = chunk.file->read(chunk.position, piece);
            if (!read || *read == 0)
                return Sent::Lost;
            n = ::send(m_descriptor, piece.data(), size_t(*read), kSendFlags);
#endif
        }
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return wouldBlock() ? Sent::Blocked : Sent::Lost;
        if (n == 0) // the file is shorter than it was: the answer cannot be completed
            return Sent::Lost;
        chunk.position += n;
        chunk.left -= n;
        m_outputBytes -= n;
        budget -= n;
    }
    return Sent::All;
}

void BrokerConnection::flush()
{
    if (isClosed())
        return;
    qint64 budget = kSendBytesPerTurn;
    while (!m_output.empty()) {
        const Sent sent = sendChunk(m_output.front(), m_output.size() > 1, budget);
        if (sent == Sent::Lost) {
            close();
            return;
        }
        if (sent == Sent::Blocked) {
            m_writable.setEnabled(true);
            return;
        }
        m_output.pop_front();
    }
    afterSending();
}

void BrokerConnection::afterSending()
{
    if (m_finishing) {
        if (m_discarding)
            return;
        // Closing with unread bytes would reset the connection and could destroy answers that are
        // still on their way: shut down our side and wait a moment for the peer to close.
        shutdown(m_descriptor, SHUT_WR);
        if (m_peerFinished) {
            close();
            return;
        }
        m_discarding = true;
        updateReading();
        QTimer::singleShot(kDiscardMs, this, &BrokerConnection::close);
        return;
    }
    if (m_held)
        return;
    if (hasWholeFrame())
        m_owner.onActivity(*this);
    else if (m_peerFinished)
        close();
    else
        updateReading();
}

void BrokerConnection::abort()
{
    m_requestLost = true;
    close();
}

/// An impossible length: what is queued is still sent, nothing more is served.
void BrokerConnection::finish()
{
    m_requestLost = true;
    m_finishing = true;
    m_owner.onActivity(*this);
}

void BrokerConnection::close()
{
    if (isClosed())
        return;
    const bool inRequest = m_requestLost || m_held || !m_output.empty() ||
                           m_input.size() - m_inputBegin >= kLengthBytes;
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    ::close(m_descriptor);
    m_descriptor = -1;
    m_output.clear();
    m_outputBytes = 0;
    m_owner.onClosed(*this, inRequest);
}

} // namespace topicscope::broker
