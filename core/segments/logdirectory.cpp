#include "core/segments/logdirectory.h"

#include "core/segments/segmentfile.h"

#include <QDir>

#include <algorithm>

namespace topicscope
{

using namespace Qt::StringLiterals;

QString partitionDirectoryName(const TopicPartition &partition)
{
    return u"%1-%2"_s.arg(partition.topic, QString::number(partition.partition.value));
}

Result<QList<SegmentEntry>> listSegments(const QString &directory)
{
    const QDir dir(directory);
    if (!dir.exists() || !dir.isReadable()) {
        return Error::make(ErrorKind::Io, u"the directory cannot be read"_s,
                           {{}, {}, {}, directory, {}});
    }
    QList<SegmentEntry> entries;
    const QStringList names =
        dir.entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        const SegmentName parsed = parseSegmentFileName(name);
        if (parsed.kind == SegmentNameKind::Malformed) {
            return Error::make(ErrorKind::Io,
                               u"the name looks like a segment but is not 20 ASCII digits"_s,
                               {{}, {}, {}, dir.filePath(name), {}});
        }
        if (parsed.kind == SegmentNameKind::Segment)
            entries.append({parsed.base, dir.filePath(name)});
    }
    std::sort(entries.begin(), entries.end(),
              [](const SegmentEntry &a, const SegmentEntry &b) { return a.base < b.base; });
    return entries;
}

} // namespace topicscope
