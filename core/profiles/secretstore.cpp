#include "core/profiles/secretstore.h"

#include <QMetaObject>
#include <QObject>

#ifdef TOPICSCOPE_WITH_KEYCHAIN
#include "core/profiles/keychainsecretstore.h"
#endif

namespace topicscope
{

size_t qHash(const SecretKey &key, size_t seed)
{
    return qHashMulti(seed, key.profile, key.property);
}

void MemorySecretStore::read(const SecretKey &key, QObject *context, ReadAnswer answer)
{
    std::optional<QString> found;
    if (const auto secret = m_secrets.constFind(key); secret != m_secrets.constEnd())
        found = *secret;
    QMetaObject::invokeMethod(
        context, [answer = std::move(answer), found] { answer(found); }, Qt::QueuedConnection);
}

void MemorySecretStore::write(const SecretKey &key, const QString &secret, QObject *context,
                              DoneAnswer answer)
{
    m_secrets.insert(key, secret);
    QMetaObject::invokeMethod(
        context, [answer = std::move(answer)] { answer({}); }, Qt::QueuedConnection);
}

void MemorySecretStore::remove(const SecretKey &key, QObject *context, DoneAnswer answer)
{
    m_secrets.remove(key);
    QMetaObject::invokeMethod(
        context, [answer = std::move(answer)] { answer({}); }, Qt::QueuedConnection);
}

std::unique_ptr<SecretStore> systemKeychain()
{
#ifdef TOPICSCOPE_WITH_KEYCHAIN
    return std::make_unique<KeychainSecretStore>();
#else
    return nullptr;
#endif
}

} // namespace topicscope
