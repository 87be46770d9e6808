#pragma once

#include "core/base/result.h"

#include <QHash>
#include <QString>

#include <functional>
#include <memory>
#include <optional>

class QObject;

namespace topicscope
{

/// One secret: of which kept connection, and which of its properties.
struct SecretKey {
    QString profile; ///< the connection's id
    QString property;

    bool operator==(const SecretKey &) const = default;
};

size_t qHash(const SecretKey &key, size_t seed = 0);

/// Keeps secrets. Nothing here waits: an answer comes later, on the caller's thread, once, unless
/// `context` has gone by then. It may come never, where a keychain hangs.
/// Thread: its own.
class SecretStore
{
public:
    /// nullopt: there is none. @error Unsupported when nothing answers that keeps secrets; Io.
    using ReadAnswer = std::function<void(const Result<std::optional<QString>> &)>;
    using DoneAnswer = std::function<void(const Result<void> &)>;

    SecretStore() = default;
    virtual ~SecretStore() = default;
    Q_DISABLE_COPY_MOVE(SecretStore)

    virtual void read(const SecretKey &key, QObject *context, ReadAnswer answer) = 0;
    virtual void write(const SecretKey &key, const QString &secret, QObject *context,
                       DoneAnswer answer) = 0;
    /// Removing what is not there is done, too.
    virtual void remove(const SecretKey &key, QObject *context, DoneAnswer answer) = 0;
};

/// Keeps them until the program ends.
class MemorySecretStore final : public SecretStore
{
public:
    void read(const SecretKey &key, QObject *context, ReadAnswer answer) override;
    void write(const SecretKey &key, const QString &secret, QObject *context,
               DoneAnswer answer) override;
    void remove(const SecretKey &key, QObject *context, DoneAnswer answer) override;

private:
    QHash<SecretKey, QString> m_secrets;
};

/// The system's keychain; null in a build without one (option WITH_KEYCHAIN).
std::unique_ptr<SecretStore> systemKeychain();

} // namespace topicscope
