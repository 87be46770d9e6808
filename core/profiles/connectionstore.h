#pragma once

#include "core/base/result.h"
#include "core/session/sessionconfig.h"

#include <QList>
#include <QObject>
#include <QSettings>

#include <optional>

namespace topicscope
{

/// The connections the user keeps, in the order they were added, for the window and the CLI alike.
/// Secrets are not among what is kept: only the names of those a connection was given.
///
/// One group per connection, named by an id that never changes, so that entries and fields another
/// version of the program wrote stay as they are; an entry that makes no sense (no host, no port)
/// is not shown and not touched. QSettings writes the file anew and puts it in place in one step,
/// under a lock shared with other instances: a crash or a full disk leaves the old one.
///
/// Thread: its own.
class ConnectionStore final : public QObject
{
    Q_OBJECT
public:
    struct Connection {
        QString id;
        SessionConfig config;
        QStringList secrets; ///< names of the secret properties it was given
    };

    static constexpr qsizetype kMaxConnections = 200;
    static constexpr qsizetype kMaxNameChars = 100;
    static constexpr qsizetype kMaxProperties = 300;
    static constexpr qsizetype kMaxValueChars = 100'000;
    static constexpr std::chrono::milliseconds kMinTimeout{100};
    static constexpr std::chrono::milliseconds kMaxTimeout{600'000};

    /// @param file  an INI file; empty: the user's own settings, the same for every program of
    /// ours.
    explicit ConnectionStore(const QString &file = {}, QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(ConnectionStore)

    const QList<Connection> &connections() const { return m_connections; }
    std::optional<Connection> byId(const QString &id) const;
    std::optional<Connection> byName(const QString &name) const;

    /// Keeps it, but for its secrets. Returns the new connection's id. @error InvalidArgument when
    /// there are kMaxConnections; Io when it could not be written: it is listed in this run, and
    /// written with the next change that can be.
    Result<QString> add(const SessionConfig &config);
    /// The names of its secrets stay, also of those `config` lacks, but for the `dropped` ones.
    /// @error InvalidArgument for an unknown id; Io.
    Result<void> update(const QString &id, const SessionConfig &config,
                        const QStringList &dropped = {});
    Result<void> remove(const QString &id);

    /// Reads again what another instance may have written.
    void reload();

signals:
    void changed();
    /// What a kept connection was before update(), and is now; only where the two differ.
    void updated(const topicscope::SessionConfig &before, const topicscope::SessionConfig &after);

private:
    QStringList order() const;
    void read();
    void readProperties(Connection &connection) const;
    void write(const QString &id, const SessionConfig &config, QStringList secrets);
    Result<void> commit();

    QSettings m_settings;
    QList<Connection> m_connections;
};

} // namespace topicscope
