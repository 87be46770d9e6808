#include "core/transfer/outcomefile.h"

#include "core/records/jsonline.h"
#include "core/transfer/fileerror.h"
#include "core/transfer/filelock.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

/// Numbers reserved at a time: each costs a wait for the disk, and a crash leaves so many unknown.
constexpr qint64 kReserved = 10;
/// Of a line read, which has at most this much of a broker's text in it.
constexpr qint64 kMaxLineBytes = 1'000'000;
constexpr qsizetype kMaxText = 2'000;

const std::array<QString, 3> kKinds{u"published"_s, u"refused"_s, u"unknown"_s};

QString hex(quint32 sum)
{
    return u"%1"_s.arg(sum, 8, 16, QChar(u'0'));
}

} // namespace

Error OutcomeFile::failed() const
{
    return fileError(ErrorKind::Io, m_file.fileName(), m_file.errorString());
}

Result<std::unique_ptr<OutcomeFile>> OutcomeFile::create(const QString &path, const Run &run)
{
    std::unique_ptr<OutcomeFile> file(new OutcomeFile(path));
    if (QFile::exists(path))
        return fileError(ErrorKind::InvalidArgument, path,
                         u"%1 is there already: a run that was stopped is resumed"_s.arg(path));
    if (!file->m_file.open(QIODevice::ReadWrite | QIODevice::NewOnly | QIODevice::Unbuffered))
        return file->failed();
    if (auto locked = lockFile(file->m_file); !locked)
        return locked.error();
    JsonLine head;
    head.text("type", u"outcomes"_s).text("format", u"topicscope-outcomes"_s).number("version", 1);
    JsonLine about;
    for (auto each = run.cbegin(); each != run.cend(); ++each)
        about.text(each.key().toLatin1().constData(), each.value());
    head.object("run", about);
    if (auto written = file->append(head.take(), true); !written)
        return written.error();
    if (auto kept = file->syncDirectory(); !kept)
        return kept.error();
    file->m_hasHead = true;
    return file;
}

Result<std::unique_ptr<OutcomeFile>> OutcomeFile::resume(const QString &path, const Run &run,
                                                         const std::stop_token &stop)
{
    std::unique_ptr<OutcomeFile> file(new OutcomeFile(path));
    if (!file->m_file.open(QIODevice::ReadWrite | QIODevice::ExistingOnly | QIODevice::Unbuffered))
        return file->failed();
    if (auto locked = lockFile(file->m_file); !locked)
        return locked.error();
    if (auto read = file->read(run, stop); !read)
        return read.error();
    return file;
}

Result<void> OutcomeFile::read(const Run &run, const std::stop_token &stop)
{
    QFile reader(m_file.fileName()); // buffered, unlike the one that is written to
    if (!reader.open(QIODevice::ReadOnly))
        return failed();
    qint64 whole = 0; // bytes of whole lines
    while (!reader.atEnd()) {
        if (stop.stop_requested())
            return fileError(ErrorKind::Cancelled, m_file.fileName(), {});
        const QByteArray line = reader.readLine(kMaxLineBytes);
        if (!line.endsWith('\n') && reader.atEnd())
            break; // the program ended in the midst of it
        if (!line.endsWith('\n'))
            return fileError(ErrorKind::InvalidArgument, m_file.fileName(),
                             u"a line of it is too long, or it cannot be read"_s);
        const QByteArray text = line.chopped(1);
        if (auto taken = m_hasHead ? take(text) : takeHead(text, run); !taken)
            return taken;
        whole += line.size();
    }
    if (!m_hasHead)
        return fileError(ErrorKind::InvalidArgument, m_file.fileName(),
                         u"this is no file of outcomes: its first line says otherwise"_s);
    if (!m_file.resize(whole) || !m_file.seek(whole))
        return failed();
    m_inDoubt = std::exchange(m_reserved, m_next - 1);
    return {};
}

Result<void> OutcomeFile::check(const QString &path, const Run &run)
{
    OutcomeFile file(path);
    if (!file.m_file.open(QIODevice::ReadOnly))
        return file.failed();
    return file.takeHead(file.m_file.readLine(kMaxLineBytes), run);
}

Result<void> OutcomeFile::takeHead(const QByteArray &line, const Run &run)
{
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    if (object.value(u"format"_s) != u"topicscope-outcomes"_s ||
        object.value(u"version"_s).toInteger() != 1)
        return fileError(ErrorKind::InvalidArgument, m_file.fileName(),
                         u"this is no file of outcomes: its first line says otherwise"_s);
    const QJsonObject about = object.value(u"run"_s).toObject();
    for (auto each = run.cbegin(); each != run.cend(); ++each) {
        const QString was = about.value(each.key()).toString();
        if (was != each.value())
            return fileError(ErrorKind::InvalidArgument, m_file.fileName(),
                             u"it is of another run: %1 was \"%2\", not \"%3\""_s.arg(
                                 each.key(), was, each.value()));
    }
    m_hasHead = true;
    return {};
}

Result<void> OutcomeFile::take(const QByteArray &line)
{
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const QString type = object.value(u"type"_s).toString();
    if (type == u"reserved"_s) {
        m_reserved = object.value(u"to"_s).toInteger();
    } else if (type == u"stopped"_s) {
        m_reserved = m_next - 1;
    } else if (const auto kind = std::ranges::find(kKinds, type); kind != kKinds.end()) {
        if (object.value(u"record"_s).toInteger() != m_next)
            return fileError(ErrorKind::InvalidArgument, m_file.fileName(),
                             u"record %1 is missing in it"_s.arg(m_next));
        Outcome outcome{m_next, Outcome::Kind(kind - kKinds.begin())};
        outcome.contentCrc = object.value(u"crc32c"_s).toString().toUInt(nullptr, 16);
        took(outcome);
    }
    return {};
}

void OutcomeFile::took(const Outcome &outcome)
{
    m_crcs.emplace_back(outcome.contentCrc);
    m_next = outcome.record + 1;
}

Result<void> OutcomeFile::append(const QByteArray &line, bool sync)
{
    const QByteArray whole = line + '\n';
    if (!m_hasFailed && m_file.write(whole) != whole.size()) {
        m_hasFailed = true;
        return failed();
    }
    if (!m_hasFailed && sync && ::fdatasync(m_file.handle()) != 0 && errno != EINVAL)
        m_hasFailed = true;
    if (m_hasFailed)
        return fileError(ErrorKind::Io, m_file.fileName(), u"it cannot be brought to the disk"_s);
    return {};
}

/// A new file is there after a power cut only when its directory is on the disk, too.
Result<void> OutcomeFile::syncDirectory() const
{
    const QByteArray directory = QFile::encodeName(QFileInfo(m_file).absolutePath());
    const int handle = ::open(directory.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool isKept = handle >= 0 && (::fsync(handle) == 0 || errno == EINVAL);
    if (handle >= 0)
        ::close(handle);
    if (isKept)
        return {};
    return fileError(ErrorKind::Io, m_file.fileName(),
                     u"its directory cannot be brought to the disk"_s);
}

Result<void> OutcomeFile::reserve(qint64 record)
{
    if (record <= m_reserved)
        return {};
    auto appended = append(JsonLine()
                               .text("type", u"reserved"_s)
                               .number("from", record)
                               .number("to", record + kReserved - 1)
                               .take(),
                           true);
    if (appended)
        m_reserved = record + kReserved - 1;
    return appended;
}

Result<void> OutcomeFile::write(const Outcome &outcome)
{
    Q_ASSERT(outcome.record == m_next);
    JsonLine json;
    json.text("type", kKinds[size_t(outcome.kind)]).number("record", outcome.record);
    json.text("crc32c", hex(outcome.contentCrc));
    if (outcome.where)
        json.text("topic", outcome.where->topic)
            .number("partition", outcome.where->partition.value);
    if (outcome.offset) {
        const bool isThere = outcome.kind == Outcome::Kind::Published;
        json.number(isThere ? "offset" : "endBefore", outcome.offset->value);
    }
    if (!outcome.text.isEmpty())
        json.text("text", outcome.text.left(kMaxText));
    auto appended = append(json.take(), false);
    if (appended)
        took(outcome);
    return appended;
}

Result<void> OutcomeFile::stop(const QString &why)
{
    if (m_hasFailed || m_next <= m_inDoubt)
        return {}; // the reservation on the disk is what the next run has to know
    m_reserved = m_next - 1;
    return append(JsonLine()
                      .text("type", u"stopped"_s)
                      .number("next", m_next)
                      .text("text", why.left(kMaxText))
                      .take(),
                  true);
}

} // namespace topicscope::transfer
