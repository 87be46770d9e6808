#include "core/http/httpcall.h"

#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QSslCertificate>
#include <QSslConfiguration>

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
    network.setTransferTimeout(int(limit.count()));
    QNetworkRequest asked = request(call);
    if (call.form) {
        asked.setHeader(QNetworkRequest::ContentTypeHeader, u"application/x-www-form-urlencoded"_s);
    }
    const std::unique_ptr<QNetworkReply> reply(call.form ? network.post(asked, *call.form)
                                                         : network.get(asked));
    HttpAnswer answer;
    bool isTooLarge = false;
    QEventLoop loop;
    QObject::connect(reply.get(), &QNetworkReply::finished, &loop, &QEventLoop::quit);
    QObject::connect(reply.get(), &QIODevice::readyRead, &loop, [&] {
        answer.body += reply->readAll();
        if (answer.body.size() > call.maxAnswerBytes) {
            isTooLarge = true;
            loop.quit();
        }
    });
    const std::stop_callback stopped(
        stop, [&loop] { QMetaObject::invokeMethod(&loop, "quit", Qt::QueuedConnection); });
    if (!reply->isFinished())
        loop.exec();
    if (stop.stop_requested())
        return Error::make(ErrorKind::Cancelled, {});
    if (isTooLarge)
        return Error::make(ErrorKind::Protocol, u"answers too much"_s, where);
    if (reply->error() == QNetworkReply::OperationCanceledError)
        return Error::make(ErrorKind::Timeout, u"does not answer"_s, where);
    answer.body += reply->readAll();
    answer.status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (answer.status == 0)
        return Error::make(ErrorKind::Network, reply->errorString(), where);
    return answer;
}

} // namespace topicscope
