#include "core/segments/tailrepair.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <vector>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kCopyBytes = 1 << 20;

Result<std::shared_ptr<PosixFile>> createSaveFile(const QString &directory, const QString &stem)
{
    if (!QDir().mkpath(directory)) {
        return Error::make(ErrorKind::Io, u"the directory cannot be created"_s,
                           {{}, {}, {}, directory, {}});
    }
    // The name must never look like a segment's: 24 characters ending in ".log".
    const QString path = u"%1/%2.bytes"_s.arg(directory, stem);
    QString free = path;
    for (int n = 2; QFileInfo::exists(free); ++n)
        free = u"%1/%2-%3.bytes"_s.arg(directory, stem, QString::number(n));
    return PosixFile::open(free, PosixFile::Mode::CreateNew);
}

Result<void> copyRange(const PosixFile &from, qint64 begin, qint64 end, PosixFile &to)
{
    std::vector<std::byte> buffer(static_cast<size_t>(kCopyBytes));
    for (qint64 at = begin; at < end;) {
        const auto read =
            from.read(at, std::span(buffer).first(size_t(std::min(kCopyBytes, end - at))));
        if (!read)
            return read.error();
        if (*read == 0)
            break;
        if (auto written = to.write(at - begin, std::span(buffer).first(size_t(*read))); !written)
            return written;
        at += *read;
    }
    return to.sync();
}

} // namespace

Result<RemovedTail> removeTail(PosixFile &file, const SegmentWalk &walk,
                               const QString &saveDirectory)
{
    const auto end = endOfNonZero(file, walk.endPosition, walk.fileBytes);
    if (!end)
        return end.error();
    if (*end == walk.endPosition)
        return RemovedTail{};
    const auto modified = file.modified();
    if (!modified)
        return modified.error();

    const QString stem = u"%1-from-byte-%2-%3"_s.arg(
        QFileInfo(file.path()).completeBaseName(), QString::number(walk.endPosition),
        QDateTime::currentDateTimeUtc().toString(u"yyyyMMdd'T'HHmmss'Z'"_s));
    const auto saved = createSaveFile(saveDirectory, stem);
    if (!saved)
        return saved.error();
    if (auto copied = copyRange(file, walk.endPosition, *end, **saved); !copied)
        return copied.error();
    if (auto synced = syncDirectory(saveDirectory); !synced)
        return synced.error();

    if (auto cut = file.resize(walk.endPosition); !cut)
        return cut.error();
    if (auto synced = file.sync(); !synced)
        return synced.error();
    if (auto restored = file.setModified(*modified); !restored)
        return restored.error();
    return RemovedTail{*end - walk.endPosition, (*saved)->path()};
}

} // namespace topicscope
