#pragma once

#include "core/records/recordcontent.h"

#include <QMap>
#include <QString>

#include <optional>

namespace topicscope::ui
{

/// Records kept by name, to be composed from again: every byte, null and header as it was. They are
/// in one JSON file that only its user may read, in clear text. Each call reads the file, so
/// several windows can share it; one that cannot be read is never overwritten. Thread: GUI.
class TemplateStore
{
public:
    /// @param file  made with the first template
    explicit TemplateStore(QString file);

    const QString &file() const { return m_file; }
    /// By name; empty also when the file cannot be read.
    QStringList names() const;
    /// @error Io: the file; InvalidArgument: there is no such template.
    Result<RecordContent> content(const QString &name) const;
    /// Replaces one of that name. @error Io; InvalidArgument: the name is blank.
    Result<void> save(const QString &name, const RecordContent &content);
    /// @error Io; InvalidArgument: `from` is not there, `to` is, or is blank.
    Result<void> rename(const QString &from, const QString &to);
    Result<void> remove(const QString &name);

private:
    using Templates = QMap<QString, QJsonObject>;
    Result<Templates> read() const;
    Result<void> write(const Templates &templates) const;

    QString m_file;
};

} // namespace topicscope::ui
