#include "core/profiles/keychainsecretstore.h"

#include <QCoreApplication>
#include <QThread>
#include <qt6keychain/keychain.h>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

const QString kService = u"topicscope"_s;
constexpr unsigned long kPatienceMs = 300;

QString entry(const SecretKey &key)
{
    return key.profile + u'/' + key.property;
}

/// Where QtKeychain's jobs run. There is one for the process and it is never deleted: the library
/// queues its jobs in an object that stays on the thread which used it first, and a keychain that
/// hangs could not be waited for.
class KeychainWorker final : public QObject
{
    Q_OBJECT
public:
    static KeychainWorker *instance()
    {
        static auto *worker = new KeychainWorker;
        return worker;
    }

    /// `store` is only compared, never used.
    template <typename Job>
    void run(const QObject *store, quint64 id, const SecretKey &key,
             const std::function<void(Job *)> &prepare)
    {
        QMetaObject::invokeMethod(this, [this, store, id, key, prepare] {
            auto *job = new Job(kService);
            job->setKey(entry(key));
            prepare(job);
            connect(job, &QKeychain::Job::finished, this, [this, store, id](QKeychain::Job *done) {
                emit answered(store, id, read(done));
            });
            job->start();
        });
    }

signals:
    void answered(const QObject *store, quint64 id, const topicscope::KeychainAnswer &answer);

private:
    KeychainWorker()
    {
        m_thread->setObjectName(u"keychain"_s);
        moveToThread(m_thread);
        m_thread->start();
        qAddPostRoutine([] {
            QThread *thread = instance()->m_thread;
            thread->quit();
            thread->wait(kPatienceMs);
        });
    }

    static KeychainAnswer read(QKeychain::Job *job)
    {
        switch (job->error()) {
        case QKeychain::NoError:
            if (const auto *reading = qobject_cast<QKeychain::ReadPasswordJob *>(job))
                return {reading->textData(), {}};
            return {};
        case QKeychain::EntryNotFound:
        case QKeychain::CouldNotDeleteEntry: // which is said of one that is not there
            return {};
        case QKeychain::NoBackendAvailable:
        case QKeychain::NotImplemented:
            return {{}, Error::make(ErrorKind::Unsupported, job->errorString())};
        case QKeychain::AccessDeniedByUser:
        case QKeychain::AccessDenied:
        case QKeychain::OtherError:
            break;
        }
        return {{}, Error::make(ErrorKind::Io, job->errorString())};
    }

    QThread *m_thread = new QThread;
};

Result<void> done(const KeychainAnswer &answer)
{
    if (answer.error)
        return *answer.error;
    return {};
}

} // namespace

KeychainSecretStore::KeychainSecretStore()
{
    connect(KeychainWorker::instance(), &KeychainWorker::answered, this,
            &KeychainSecretStore::onAnswered, Qt::QueuedConnection);
}

quint64 KeychainSecretStore::await(QObject *context, Waiting answer)
{
    m_requests.insert(++m_lastId, {context, std::move(answer)});
    return m_lastId;
}

void KeychainSecretStore::onAnswered(const QObject *store, quint64 id, const KeychainAnswer &answer)
{
    if (store != this)
        return;
    const Request request = m_requests.take(id);
    if (request.context && request.answer)
        request.answer(answer);
}

void KeychainSecretStore::read(const SecretKey &key, QObject *context, ReadAnswer answer)
{
    const quint64 id = await(context, [answer = std::move(answer)](const KeychainAnswer &said) {
        if (said.error)
            answer(*said.error);
        else
            answer(said.secret);
    });
    KeychainWorker::instance()->run<QKeychain::ReadPasswordJob>(this, id, key, [](auto *) {});
}

void KeychainSecretStore::write(const SecretKey &key, const QString &secret, QObject *context,
                                DoneAnswer answer)
{
    const quint64 id = await(
        context, [answer = std::move(answer)](const KeychainAnswer &said) { answer(done(said)); });
    KeychainWorker::instance()->run<QKeychain::WritePasswordJob>(
        this, id, key, [secret](auto *job) { job->setTextData(secret); });
}

void KeychainSecretStore::remove(const SecretKey &key, QObject *context, DoneAnswer answer)
{
    const quint64 id = await(
        context, [answer = std::move(answer)](const KeychainAnswer &said) { answer(done(said)); });
    KeychainWorker::instance()->run<QKeychain::DeletePasswordJob>(this, id, key, [](auto *) {});
}

} // namespace topicscope

#include "keychainsecretstore.moc"
