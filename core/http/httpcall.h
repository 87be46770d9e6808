#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>
#include <QUrl>

#include <chrono>
#include <optional>
#include <stop_token>

class QNetworkRequest;

namespace topicscope
{

struct HttpAnswer {
    int status = 0;
    QByteArray body;
};

/// What is asked: a GET, or a POST of `form`.
struct HttpCall {
    QUrl url;
    QString user; ///< basic authentication when there is one
    QString password;
    QString caFile; ///< certificates trusted there beside the system's
    QByteArray accept = "application/json";
    std::optional<QByteArray> form;
    qsizetype maxAnswerBytes = 1'000'000;
};

/// One request and the whole of its answer, whatever its status; no redirects followed: the
/// credentials have no business elsewhere.
/// @param limit  of the whole call
/// @error InvalidArgument: no http:// or https:// address; Network; Timeout; Protocol: the answer
/// is too large; Cancelled. The first, third and fourth as words to put behind what was asked
/// ("does not answer"). No text holds credentials.
/// Thread: any that has no event loop running; blocking.
Result<HttpAnswer> httpCall(const HttpCall &call, std::chrono::milliseconds limit,
                            const std::stop_token &stop = {});

} // namespace topicscope
