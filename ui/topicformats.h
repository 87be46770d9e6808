#pragma once

#include "core/decode/schemaregistry.h"
#include "core/records/payloadcodec.h"
#include "core/session/sessionconfig.h"
#include "ui/backgroundrun.h"

#include <QObject>

#include <map>
#include <memory>

namespace topicscope::ui
{

/// The formats one connection's keys and values can be read in, by the names the settings keep.
/// Schema files are read on another thread, and the connection's schema registry is asked in the
/// background: until then, and where they cannot be had, records are shown as bytes with the
/// reason. Thread: GUI.
class TopicFormats final : public QObject
{
    Q_OBJECT
public:
    using Format = std::shared_ptr<const PayloadCodec>;

    explicit TopicFormats(const SessionConfig &config, QObject *parent = nullptr);
    ~TopicFormats() override;
    Q_DISABLE_COPY_MOVE(TopicFormats)

    bool hasRegistry() const { return m_registry != nullptr; }
    /// Of a name as formatNamed() takes it; empty and "auto": what the bytes seem to be.
    Format named(const QString &name);
    /// What stands in the way of this format, or of the registry, in a sentence; empty: nothing.
    QString problem(const QString &name) const;
    /// Its file is read anew the next time.
    void forget(const QString &name);
    /// Reads files that could not be read, and asks the registry, again.
    void tryAgain();

signals:
    /// What named() gives, what comes of it, or problem() is another.
    void changed();

private:
    struct SchemaFile {
        Format format;
        QString problem;
        BackgroundRun<Result<Format>> reading;
    };

    void read(const QString &name, SchemaFile &file);

    std::shared_ptr<SchemaRegistry> m_registry;
    Format m_automatic;  ///< null: PayloadCodec's own
    Format m_registered; ///< null without a registry
    std::map<QString, SchemaFile> m_files;
};

} // namespace topicscope::ui
