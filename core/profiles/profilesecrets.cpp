#include "core/profiles/profilesecrets.h"

#include <QPointer>

#include <memory>

namespace topicscope
{

namespace
{

/// What one find() still waits for.
struct Finding {
    Secrets found;
    qsizetype missing = 0;
};

} // namespace

ProfileSecrets::ProfileSecrets(std::unique_ptr<SecretStore> keychain, QObject *parent)
    : QObject(parent)
    , m_keychain(std::move(keychain))
    , m_state(m_keychain ? Keychain::Unknown : Keychain::None)
{
}

void ProfileSecrets::learn(const std::optional<Error> &error)
{
    const bool none = error && error->kind == ErrorKind::Unsupported;
    const auto state = none ? Keychain::None : Keychain::Present;
    if (m_state == state)
        return;
    m_state = state;
    emit keychainFound();
}

void ProfileSecrets::probe()
{
    if (m_state != Keychain::Unknown)
        return;
    m_keychain->read({}, this, [this](const auto &answer) {
        learn(answer ? std::nullopt : std::optional(answer.error()));
    });
}

void ProfileSecrets::find(const QString &profile, const QStringList &properties, QObject *context,
                          FindAnswer answer)
{
    auto finding = std::make_shared<Finding>();
    QList<SecretKey> unknown;
    for (const QString &property : properties) {
        const SecretKey key{profile, property};
        if (const auto known = m_memory.constFind(key); known != m_memory.constEnd())
            finding->found.insert(property, *known);
        else if (m_state != Keychain::None)
            unknown.append(key);
    }
    finding->missing = unknown.size();
    if (unknown.isEmpty()) {
        QMetaObject::invokeMethod(
            context, [finding, answer = std::move(answer)] { answer(finding->found); },
            Qt::QueuedConnection);
        return;
    }
    for (const SecretKey &key : std::as_const(unknown)) {
        m_keychain->read(key, context,
                         [this, self = QPointer<ProfileSecrets>(this), key, finding,
                          answer](const Result<std::optional<QString>> &read) {
                             if (!self)
                                 return;
                             learn(read ? std::nullopt : std::optional(read.error()));
                             // What was typed meanwhile is newer.
                             if (read && *read && !m_memory.contains(key))
                                 m_memory.insert(key, **read);
                             if (const auto known = m_memory.constFind(key);
                                 known != m_memory.constEnd())
                                 finding->found.insert(key.property, *known);
                             if (--finding->missing == 0)
                                 answer(finding->found);
                         });
    }
}

void ProfileSecrets::keep(const QString &profile, const Secrets &secrets, bool inKeychain)
{
    bool differs = false;
    for (auto secret = secrets.cbegin(); secret != secrets.cend(); ++secret) {
        const SecretKey key{profile, secret.key()};
        differs = remember(key, secret.value()) || differs;
        if (!m_keychain || m_state == Keychain::None)
            continue;
        const auto written = [this](const Result<void> &done) {
            if (!done)
                emit notKept(done.error());
        };
        if (inKeychain)
            m_keychain->write(key, secret.value(), this, written);
        else
            m_keychain->remove(key, this, [](const auto &) {});
    }
    if (differs)
        emit changed(profile);
}

void ProfileSecrets::use(const QString &profile, const Secrets &secrets)
{
    bool differs = false;
    for (auto secret = secrets.cbegin(); secret != secrets.cend(); ++secret)
        differs = remember({profile, secret.key()}, secret.value()) || differs;
    if (differs)
        emit changed(profile);
}

/// Whether it is another one than before.
bool ProfileSecrets::remember(const SecretKey &key, const QString &secret)
{
    const bool differs = m_memory.value(key) != secret;
    m_memory.insert(key, secret);
    return differs;
}

void ProfileSecrets::forget(const QString &profile, const QStringList &properties)
{
    for (const QString &property : properties) {
        const SecretKey key{profile, property};
        m_memory.remove(key);
        if (m_keychain && m_state != Keychain::None)
            m_keychain->remove(key, this, [](const auto &) {});
    }
}

} // namespace topicscope
