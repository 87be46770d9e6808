#pragma once

#include "tests/support/httpserver.h"

namespace topicscope::test
{

/// A token endpoint that answers every request alike.
class TokenServer final : public HttpServer
{
public:
    ~TokenServer() override { end(); }

    QString url() const { return HttpServer::url() + QStringLiteral("/token"); }

    /// @param status  e.g. "200 OK"; "" = never an answer
    void answerWith(const QByteArray &status, const QByteArray &body,
                    const QByteArray &moreHeaders = {})
    {
        const QMutexLocker lock(&m_mutex);
        m_answer =
            status.isEmpty() ? QByteArray() : answer(status, "application/json", body, moreHeaders);
    }

private:
    bool isWhole(const QByteArray &request) const override
    {
        return request.contains("grant_type="); // the form comes last
    }
    QByteArray answerTo(const QByteArray & /*request*/) const override { return m_answer; }

    QByteArray m_answer;
};

} // namespace topicscope::test
