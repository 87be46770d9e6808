#include "core/transfer/exportfile.h"

#include "core/transfer/fileerror.h"
#include "core/transfer/filelock.h"

#include <QDir>
#include <QFileInfo>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

/// Whether something may be written in the place of `path`.
Result<void> mayReplace(const QString &path, bool overwrite)
{
    const QFileInfo info(path);
    if (!info.exists() && !info.isSymLink())
        return {};
    if (overwrite && info.isFile())
        return {};
    return fileError(ErrorKind::InvalidArgument, path,
                     info.isFile() ? u"%1 is there already"_s.arg(path)
                                   : u"%1 is there already and no file"_s.arg(path));
}

/// Whether `path` is still the name of this file.
bool isStill(const QFile &file, const QString &path)
{
    struct stat opened = {};
    struct stat named = {};
    return ::fstat(file.handle(), &opened) == 0 &&
           ::stat(QFile::encodeName(path).constData(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

} // namespace

Result<std::unique_ptr<ExportFile>> ExportFile::create(const QString &path, ExportFormat format,
                                                       const ExportSource &source, bool overwrite)
{
    const bool isDirectory = format == ExportFormat::Raw;
    std::unique_ptr<ExportFile> file(new ExportFile(path, overwrite && !isDirectory));
    const QString part = file->partPath();
    for (const QString &name : {path, part}) {
        if (auto may = mayReplace(name, file->m_overwrite); !may)
            return std::move(may).error();
    }
    if (isDirectory) {
        if (!QDir().mkdir(part))
            return fileError(ErrorKind::Io, part, u"the directory cannot be made"_s);
        file->m_writer = makeRawWriter(part);
        return file;
    }
    file->m_file = std::make_unique<QFile>(part);
    // Emptied once it is ours: until then it may be another export's. The writer has a buffer of
    // its own, of whole lines.
    const QIODevice::OpenMode fresh = overwrite ? QIODevice::Append : QIODevice::NewOnly;
    if (!file->m_file->open(QIODevice::WriteOnly | QIODevice::Unbuffered | fresh))
        return fileError(ErrorKind::Io, part, file->m_file->errorString());
    if (auto locked = lockFile(*file->m_file); !locked)
        return std::move(locked).error();
    if (!isStill(*file->m_file, part))
        return fileError(ErrorKind::Busy, part, u"another run has just written it"_s);
    if (!file->m_file->resize(0))
        return fileError(ErrorKind::Io, part, file->m_file->errorString());
    file->m_writer = makeExportWriter(format, file->m_file.get(), source);
    return file;
}

Result<void> ExportFile::commit()
{
    m_writer->flush();
    if (m_writer->error())
        return *m_writer->error();
    if (m_file) {
        if (::fsync(m_file->handle()) != 0 && errno != EINVAL)
            return fileError(ErrorKind::Io, partPath(),
                             QString::fromLocal8Bit(std::strerror(errno)));
    }
    if (auto may = mayReplace(m_path, m_overwrite); !may)
        return may;
    const bool renamed = m_overwrite ? std::rename(QFile::encodeName(partPath()).constData(),
                                                   QFile::encodeName(m_path).constData()) == 0
                         : m_file    ? QFile::rename(partPath(), m_path)
                                     : QDir().rename(partPath(), m_path);
    if (!renamed)
        return fileError(ErrorKind::Io, m_path, u"%1 cannot be renamed"_s.arg(partPath()));
    if (m_file) // locked up to here: nobody empties what has the name already
        m_file->close();
    return {};
}

} // namespace topicscope::transfer
