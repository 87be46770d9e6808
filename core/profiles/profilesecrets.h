#pragma once

#include "core/profiles/secrets.h"
#include "core/profiles/secretstore.h"

#include <QObject>
#include <QStringList>

namespace topicscope
{

/// The secrets of the kept connections: in memory while the program runs, and in the keychain where
/// the user wants that and one answers. Nothing here waits; a keychain may answer late or never.
/// Thread: its own.
class ProfileSecrets final : public QObject
{
    Q_OBJECT
public:
    enum class Keychain {
        Unknown, ///< has not answered yet
        Present,
        None, ///< this build or this session has none
    };
    using FindAnswer = std::function<void(const Secrets &found)>;

    /// @param keychain  null: none
    explicit ProfileSecrets(std::unique_ptr<SecretStore> keychain, QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(ProfileSecrets)

    Keychain keychain() const { return m_state; }
    /// Asks the keychain anything, so that keychain() becomes known.
    void probe();

    /// Those of these properties that are known; asked of memory first. Answers later, once, unless
    /// `context` has gone.
    void find(const QString &profile, const QStringList &properties, QObject *context,
              FindAnswer answer);
    /// Keeps them in memory, and in the keychain or, when not wanted there, no longer there.
    void keep(const QString &profile, const Secrets &secrets, bool inKeychain);
    /// Keeps them in memory alone; what the keychain has stays.
    void use(const QString &profile, const Secrets &secrets);
    void forget(const QString &profile, const QStringList &properties);

signals:
    void keychainFound();
    /// Another secret than before was kept.
    void changed(const QString &profile);
    /// Not in the keychain, but in memory only, until the program ends.
    void notKept(const topicscope::Error &error);

private:
    bool remember(const SecretKey &key, const QString &secret);
    void learn(const std::optional<Error> &error);

    std::unique_ptr<SecretStore> m_keychain;
    QHash<SecretKey, QString> m_memory;
    Keychain m_state;
};

} // namespace topicscope
