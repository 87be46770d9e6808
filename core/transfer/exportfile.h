#pragma once

#include "core/base/result.h"
#include "core/transfer/exportwriter.h"

#include <QFile>

#include <memory>

namespace topicscope::transfer
{

/// The file (for Raw the directory) of one export: written as PATH.part, which becomes PATH only
/// when it is whole. What is not committed stays as PATH.part, which one export at a time has.
/// Thread: confined to one.
class ExportFile
{
public:
    /// @param overwrite  whether a file PATH or PATH.part may be replaced; a directory never is
    /// @error InvalidArgument: it is there already; Busy: another export has PATH.part; Io.
    static Result<std::unique_ptr<ExportFile>> create(const QString &path, ExportFormat format,
                                                      const ExportSource &source, bool overwrite);

    ExportWriter &writer() { return *m_writer; }
    const QString &path() const { return m_path; }
    QString partPath() const { return m_path + QStringLiteral(".part"); }

    /// Puts everything on the disk and gives the file its name.
    /// @error Io; InvalidArgument: meanwhile somebody else has made a file of that name.
    Result<void> commit();

private:
    ExportFile(QString path, bool overwrite)
        : m_path(std::move(path))
        , m_overwrite(overwrite)
    {
    }

    QString m_path;
    bool m_overwrite;
    std::unique_ptr<QFile> m_file; ///< null: a directory
    std::unique_ptr<ExportWriter> m_writer;
};

} // namespace topicscope::transfer
