#include "ui/settings/templatestore.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("TemplateStore", text);
}

Error refusal(const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, why);
}

} // namespace

TemplateStore::TemplateStore(QString file)
    : m_file(std::move(file))
{
}

Result<TemplateStore::Templates> TemplateStore::read() const
{
    const ErrorPlace where{{}, {}, {}, m_file, {}};
    QFile file(m_file);
    if (!file.exists())
        return Templates();
    if (!file.open(QIODevice::ReadOnly))
        return Error::make(ErrorKind::Io, file.errorString(), where);
    const QJsonValue list = QJsonDocument::fromJson(file.readAll()).object().value(u"templates"_s);
    if (!list.isArray())
        return Error::make(ErrorKind::Io, tr("no file of templates"), where);
    Templates templates;
    const QJsonArray entries = list.toArray();
    for (const auto &entry : entries)
        templates.insert(entry[u"name"_s].toString(), entry[u"record"_s].toObject());
    return templates;
}

Result<void> TemplateStore::write(const Templates &templates) const
{
    QJsonArray entries;
    for (auto entry = templates.cbegin(); entry != templates.cend(); ++entry)
        entries.append(QJsonObject{{u"name"_s, entry.key()}, {u"record"_s, entry.value()}});
    QDir().mkpath(QFileInfo(m_file).path());
    QSaveFile file(m_file);
    const QByteArray json = QJsonDocument(QJsonObject{{u"templates"_s, entries}}).toJson();
    const bool done = file.open(QIODevice::WriteOnly) &&
                      file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner) &&
                      file.write(json) == json.size() && file.commit();
    if (!done)
        return Error::make(ErrorKind::Io, file.errorString(), {{}, {}, {}, m_file, {}});
    return {};
}

QStringList TemplateStore::names() const
{
    const auto templates = read();
    return templates ? templates->keys() : QStringList();
}

Result<RecordContent> TemplateStore::content(const QString &name) const
{
    const auto templates = read();
    if (!templates)
        return templates.error();
    if (!templates->contains(name))
        return refusal(tr("there is no template “%1”").arg(name));
    return recordContentFromJson(templates->value(name));
}

Result<void> TemplateStore::save(const QString &name, const RecordContent &content)
{
    if (name.trimmed().isEmpty())
        return refusal(tr("a template needs a name"));
    auto templates = read();
    if (!templates)
        return std::move(templates).error();
    templates->insert(name.trimmed(), toJson(content));
    return write(*templates);
}

Result<void> TemplateStore::rename(const QString &from, const QString &to)
{
    auto templates = read();
    if (!templates)
        return std::move(templates).error();
    const QString name = to.trimmed();
    if (name == from)
        return {};
    if (name.isEmpty())
        return refusal(tr("a template needs a name"));
    if (templates->contains(name))
        return refusal(tr("there is a template “%1” already").arg(name));
    if (!templates->contains(from))
        return refusal(tr("there is no template “%1”").arg(from));
    templates->insert(name, templates->take(from));
    return write(*templates);
}

Result<void> TemplateStore::remove(const QString &name)
{
    auto templates = read();
    if (!templates)
        return std::move(templates).error();
    templates->remove(name);
    return write(*templates);
}

} // namespace topicscope::ui
