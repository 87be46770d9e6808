#pragma once

#include "core/profiles/secretstore.h"

#include <QObject>
#include <QPointer>

namespace topicscope
{

/// What the keychain said to one request.
struct KeychainAnswer {
    std::optional<QString> secret; ///< to a read, when there is one
    std::optional<Error> error;
};

/// The system's keychain (Secret Service, KWallet, macOS, Windows) through QtKeychain. Its calls
/// run one after the other on a thread of their own, which a keychain that hangs holds up alone:
/// finding the service may block, and a locked one waits for the user.
/// Thread: its own.
class KeychainSecretStore final : public QObject, public SecretStore
{
    Q_OBJECT
public:
    KeychainSecretStore();

    void read(const SecretKey &key, QObject *context, ReadAnswer answer) override;
    void write(const SecretKey &key, const QString &secret, QObject *context,
               DoneAnswer answer) override;
    void remove(const SecretKey &key, QObject *context, DoneAnswer answer) override;

private:
    using Waiting = std::function<void(const KeychainAnswer &)>;

    quint64 await(QObject *context, Waiting answer);
    void onAnswered(const QObject *store, quint64 id, const KeychainAnswer &answer);

    struct Request {
        QPointer<QObject> context;
        Waiting answer;
    };
    QHash<quint64, Request> m_requests;
    quint64 m_lastId = 0;
};

} // namespace topicscope
