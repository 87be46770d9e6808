#include "ui/topicformats.h"

#include "core/decode/formats.h"
#include "core/decode/registrycodec.h"
#include "core/records/structurecodec.h"

#include <QThread>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// Shows bytes, and why.
class MissingFormat final : public StructureCodec
{
public:
    MissingFormat(QString name, QString why)
        : m_name(std::move(name))
        , m_why(std::move(why))
    {
    }

    QString name() const override { return m_name; }
    QString title() const override
    {
        return m_name.startsWith(u"avro:") ? u"Avro"_s : u"Protobuf"_s;
    }

protected:
    Result<ShapedText> shaped(std::span<const std::byte> /*bytes*/,
                              const PayloadContext & /*context*/,
                              const TextShape & /*shape*/) const override
    {
        return Error::make(ErrorKind::Busy, m_why);
    }

private:
    QString m_name;
    QString m_why;
};

} // namespace

TopicFormats::TopicFormats(const SessionConfig &config, QObject *parent)
    : QObject(parent)
{
    auto properties = config.properties;
    if (const auto registry = RegistryConfig::takeFrom(properties)) {
        // A layout on another thread may be its last user, but it belongs to this one.
        const auto end = [](SchemaRegistry *ended) {
            if (ended->thread() == QThread::currentThread())
                delete ended;
            else
                ended->deleteLater();
        };
        m_registry = std::shared_ptr<SchemaRegistry>(
            new SchemaRegistry(*registry, SchemaRegistry::Asking::Later), end);
        m_automatic = registryFormat(m_registry, true);
        m_registered = registryFormat(m_registry, false);
        connect(m_registry.get(), &SchemaRegistry::changed, this, &TopicFormats::changed);
    }
}

TopicFormats::~TopicFormats() = default;

TopicFormats::Format TopicFormats::named(const QString &name)
{
    if (name.isEmpty() || name == PayloadCodec::automatic()->name())
        return m_automatic;
    if (auto plain = PayloadCodec::sharedByName(name))
        return plain;
    if (m_registered && name == m_registered->name())
        return m_registered;
    const auto [file, isNew] = m_files.try_emplace(name);
    if (isNew)
        read(name, file->second);
    return file->second.format;
}

void TopicFormats::forget(const QString &name)
{
    m_files.erase(name);
}

void TopicFormats::read(const QString &name, SchemaFile &file)
{
    file.problem.clear();
    file.format = std::make_shared<MissingFormat>(name, tr("its schema is being read"));
    file.reading.start([name](const std::stop_token &) { return formatNamed(name); },
                       [this, name](const Result<Format> &read) {
                           SchemaFile &done = m_files[name];
                           if (read) {
                               done.format = *read;
                           } else {
                               const Error &error = read.error();
                               done.problem =
                                   error.where.endpoint.isEmpty()
                                       ? error.detail
                                       : u"%1: %2"_s.arg(error.where.endpoint, error.detail);
                               done.format = std::make_shared<MissingFormat>(name, done.problem);
                           }
                           emit changed();
                       });
}

QString TopicFormats::problem(const QString &name) const
{
    if (const auto file = m_files.find(name); file != m_files.end()) {
        const QString &why = file->second.problem;
        return why.isEmpty() ? QString() : tr("%1. Records are shown as bytes.").arg(why);
    }
    const bool asksRegistry = name.isEmpty() || name == PayloadCodec::automatic()->name() ||
                              (m_registered && name == m_registered->name());
    const QString why = m_registry && asksRegistry ? m_registry->problem() : QString();
    return why.isEmpty() ? QString()
                         : tr("%1. Records with a registered schema are shown as bytes.").arg(why);
}

void TopicFormats::tryAgain()
{
    for (auto &[name, file] : m_files) {
        if (!file.problem.isEmpty())
            read(name, file);
    }
    if (m_registry)
        m_registry->tryAgain(); // which tells, too
    else
        emit changed();
}

} // namespace topicscope::ui
