#pragma once

#include "tests/support/httpserver.h"

#include <QHash>

namespace topicscope::test
{

/// A schema registry: answers by path. Any other path is 404, as a registry has it.
class RegistryServer final : public HttpServer
{
public:
    ~RegistryServer() override { end(); }

    void answer(const QByteArray &path, const QByteArray &body)
    {
        const QMutexLocker lock(&m_mutex);
        m_bodies.insert(path, body);
    }
    /// For whatever is asked from now on, e.g. "401 Unauthorized"; "" = by path again.
    void refuseWith(const QByteArray &status)
    {
        const QMutexLocker lock(&m_mutex);
        m_status = status;
    }
    /// "/schemas/ids/7", …, in the order asked.
    QList<QByteArray> paths() const
    {
        QList<QByteArray> result;
        for (const QByteArray &request : requests())
            result.append(request.split(' ').value(1));
        return result;
    }

private:
    QByteArray answerTo(const QByteArray &request) const override
    {
        const auto found = m_bodies.constFind(request.split(' ').value(1));
        QByteArray status = m_status;
        QByteArray body = "{\"error_code\":40403,\"message\":\"Schema not found\"}";
        if (status.isEmpty() && found != m_bodies.constEnd()) {
            status = "200 OK";
            body = *found;
        } else if (status.isEmpty()) {
            status = "404 Not Found";
        }
        return HttpServer::answer(status, "application/vnd.schemaregistry.v1+json", body);
    }

    QHash<QByteArray, QByteArray> m_bodies;
    QByteArray m_status;
};

} // namespace topicscope::test
