#include "core/http/httpcall.h"

#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QTimer>

#include <memory>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

QNetworkRequest request(const HttpCall &call)
{
    QUrl url = call.url;
    url.setUserInfo({});
    QNetworkRequest request(url);
    request.setRawHeader("Accept", call.accept);
    if (!call.user.isEmpty() || !call.password.isEmpty()) {
        const QByteArray pair = (call.user + u':' + call.password).toUtf8();
        request.setRawHeader("Authorization", "Basic " + pair.toBase64());
    }
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute,
                         QNetworkRequest::ManualRedirectPolicy);
    // Qt's cache of credentials would outlive the call, and ask for others by itself.
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    if (!call.caFile.isEmpty()) {
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        tls.addCaCertificates(call.caFile);
        request.setSslConfiguration(tls);
    }
    return request;
}

} // namespace

Result<HttpAnswer> httpCall(const HttpCall &call, std::chrono::milliseconds limit,
                            const std::stop_token &stop)
{
    const bool isHttp = call.url.scheme() == u"http"_s || call.url.scheme() == u"https"_s;
    if (!call.url.isValid() || call.url.host().isEmpty() || !isHttp) {
        return Error::make(ErrorKind::InvalidArgument, u"is no http:// or https:// address"_s);
    }
    ErrorPlace where;
    where.endpoint = call.url.toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery);

    QNetworkAccessManager network;
    QNetworkRequest asked = request(call);
    if (call.form) {
        asked.setHeader(QNetworkRequest::ContentTypeHeader, u"application/x-www-form-urlencoded"_s);
    }
    const std::unique_ptr<QNetworkReply> reply(call.form ? network.post(asked, *call.form)
                                                         : network.get(asked));
    HttpAnswer answer;
    bool isTooLarge = false;
    // Of the whole call: a peer that sends a byte now and then is no reason to wait for ever.
    bool isLate = false;
    QEventLoop loop;
    QTimer deadline;
    deadline.setSingleShot(true);
    QObject::connect(&deadline, &QTimer::timeout, &loop, [&] {
        isLate = true;
        loop.quit();
    });
    deadline.start(limit);
    QObject::connect(reply.get(), &QNetworkReply::finished, &loop, &QEventLoop::quit);
    const auto take = [&] {
        if (!reply->isOpen())
            return;
        answer.body += reply->read(call.maxAnswerBytes + 1 - answer.body.size());
        if (answer.body.size() > call.maxAnswerBytes) {
            isTooLarge = true;
            loop.quit();
        }
    };
    QObject::connect(reply.get(), &QIODevice::readyRead, &loop, take);
    const std::stop_callback stopped(
        stop, [&loop] { QMetaObject::invokeMethod(&loop, "quit", Qt::QueuedConnection); });
    if (!reply->isFinished())
        loop.exec();
    if (stop.stop_requested())
        return Error::make(ErrorKind::Cancelled, {});
    if (isLate)
        return Error::make(ErrorKind::Timeout, u"does not answer"_s, where);
    take();
    if (isTooLarge)
        return Error::make(ErrorKind::Protocol, u"answers too much"_s, where);
    answer.status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (answer.status == 0)
        return Error::make(ErrorKind::Network, reply->errorString(), where);
    return answer;
}

} // namespace topicscope
