#include "ui/panels/payloadfile.h"

#include <QFile>
#include <QFileInfo>
#include <QPromise>
#include <QThreadPool>

#include <memory>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

Error fileError(const QString &path, const QString &detail)
{
    ErrorPlace where;
    where.endpoint = path;
    return Error::make(ErrorKind::Io, detail, where);
}

Result<PayloadFile> look(const QString &path, qint64 maxBytes)
{
    const QFileInfo info(path);
    if (!info.exists())
        return fileError(path, u"There is no such file."_s);
    if (!info.isFile())
        return fileError(path, u"It is not a regular file."_s);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fileError(path, file.errorString());
    PayloadFile result;
    result.size = file.size();
    if (result.size > maxBytes)
        return result;
    QByteArray bytes = file.read(maxBytes + 1);
    if (file.error() != QFileDevice::NoError)
        return fileError(path, file.errorString());
    result.size = bytes.size();
    if (result.size <= maxBytes)
        result.bytes = std::move(bytes);
    return result;
}

} // namespace

QFuture<Result<PayloadFile>> lookAtFile(const QString &path, qint64 maxBytes)
{
    // Shared: a pool task must be copyable, a promise is not.
    auto promise = std::make_shared<QPromise<Result<PayloadFile>>>();
    promise->start();
    QFuture<Result<PayloadFile>> future = promise->future();
    QThreadPool::globalInstance()->start([promise, path, maxBytes] {
        promise->addResult(look(path, maxBytes));
        promise->finish();
    });
    return future;
}

} // namespace topicscope::ui
