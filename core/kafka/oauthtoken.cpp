#include "core/kafka/oauthtoken.h"

#include "core/http/httpcall.h"
#include "core/profiles/secrets.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUrlQuery>

#include <algorithm>
#include <cmath>

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

namespace
{

// HTTP answers that are about the moment, not about who asks.
constexpr int kRequestTimeout = 408;
constexpr int kTooManyRequests = 429;
constexpr qsizetype kMaxToken = 100'000;
constexpr qsizetype kMaxQuote = 300;     ///< of an endpoint's words
constexpr qint64 kOpaqueMs = 86'400'000; ///< for a pasted token that does not say
constexpr qint64 kUnknownMs = 300'000;   ///< for a fetched one of which nothing is said
constexpr qint64 kLongestMs = 10LL * 365 * 86'400'000;

qint64 nowMs()
{
    return QDateTime::currentMSecsSinceEpoch();
}

/// The middle part of a JWT; empty when the token is none.
QJsonObject claims(const QByteArray &token)
{
    const QList<QByteArray> parts = token.split('.');
    if (parts.size() != 3)
        return {};
    const auto body = QByteArray::fromBase64Encoding(parts[1], QByteArray::Base64UrlEncoding |
                                                                   QByteArray::OmitTrailingEquals);
    return body ? QJsonDocument::fromJson(*body).object() : QJsonObject();
}

/// A time or duration in seconds as ms; nullopt for what is no sensible number.
std::optional<qint64> secondsAsMs(const QJsonValue &value)
{
    const double seconds = value.isString() ? value.toString().toDouble() : value.toDouble();
    if (!std::isfinite(seconds) || seconds <= 0 || seconds > 1e11)
        return std::nullopt;
    return qint64(seconds * 1000);
}

/// @param otherwise  how long it lives when it does not say itself
Result<OAuthToken> tokenOf(const QByteArray &value, qint64 otherwiseMs)
{
    const bool isSendable =
        std::all_of(value.begin(), value.end(), [](char c) { return c > ' ' && c < 127; });
    if (value.isEmpty() || value.size() > kMaxToken || !isSendable)
        return Error::make(ErrorKind::InvalidArgument, u"this is no token"_s);
    OAuthToken token;
    token.value = value;
    const QJsonObject said = claims(value);
    const qint64 now = nowMs();
    token.expiresMs =
        std::min(secondsAsMs(said[u"exp"_s]).value_or(now + otherwiseMs), now + kLongestMs);
    token.principal = said[u"sub"_s].toString().left(kMaxQuote);
    if (token.expiresMs <= now) {
        return Error::make(
            ErrorKind::InvalidArgument,
            u"the token expired on %1"_s.arg(
                QDateTime::fromMSecsSinceEpoch(token.expiresMs).toUTC().toString(Qt::ISODate)));
    }
    return token;
}

/// What an endpoint says, for a human: bounded, on one line, without secrets.
QString quoted(const QByteArray &answer, const OAuthConfig &config)
{
    const QJsonObject object = QJsonDocument::fromJson(answer).object();
    QString text = object[u"error"_s].toString();
    if (const QString more = object[u"error_description"_s].toString(); !more.isEmpty())
        text += (text.isEmpty() ? QString() : u": "_s) + more;
    if (object.isEmpty())
        text = QString::fromUtf8(answer.left(4 * kMaxQuote));
    text = hideSecrets(text.simplified(), {{u"secret"_s, config.clientSecret}});
    return text.size() > kMaxQuote ? text.left(kMaxQuote) + u'…' : text;
}

Result<OAuthToken> tokenFrom(const HttpAnswer &answer, const OAuthConfig &config)
{
    ErrorPlace where;
    where.endpoint = config.endpoint.toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery);
    if (answer.status != 200) {
        const QString said = quoted(answer.body, config);
        QString text = u"the token endpoint answered HTTP %1"_s.arg(answer.status);
        if (!said.isEmpty())
            text += u": "_s + said;
        const bool isBusy = answer.status >= 500 || answer.status == kRequestTimeout ||
                            answer.status == kTooManyRequests;
        return Error::make(isBusy ? ErrorKind::Network : ErrorKind::InvalidArgument, text, where);
    }
    const QJsonObject object = QJsonDocument::fromJson(answer.body).object();
    const QString value = object[u"access_token"_s].toString();
    if (value.isEmpty()) {
        return Error::make(ErrorKind::Protocol, u"the token endpoint's answer holds no token"_s,
                           where);
    }
    const auto lifetime = secondsAsMs(object[u"expires_in"_s]);
    auto token = tokenOf(value.toLatin1(), lifetime.value_or(kUnknownMs));
    if (token && lifetime)
        token->expiresMs = nowMs() + std::min(*lifetime, kLongestMs);
    return token;
}

Result<OAuthToken> fetchToken(const OAuthConfig &config, std::chrono::milliseconds limit,
                              const std::stop_token &stop)
{
    QUrlQuery form;
    form.addQueryItem(u"grant_type"_s, u"client_credentials"_s);
    if (!config.scope.isEmpty())
        form.addQueryItem(u"scope"_s, QString::fromLatin1(QUrl::toPercentEncoding(config.scope)));

    // RFC 6749 section 2.3.1: both are form-encoded first.
    HttpCall call;
    call.url = config.endpoint;
    call.user = QString::fromLatin1(QUrl::toPercentEncoding(config.clientId));
    call.password = QString::fromLatin1(QUrl::toPercentEncoding(config.clientSecret));
    call.caFile = config.caFile;
    call.form = form.toString(QUrl::FullyEncoded).toLatin1();
    auto answer = httpCall(call, limit, stop);
    if (answer)
        return tokenFrom(*answer, config);
    Error error = std::move(answer).error();
    if (error.kind != ErrorKind::Cancelled && error.kind != ErrorKind::Network)
        error.detail = u"the token endpoint "_s + error.detail;
    return error;
}

} // namespace

QString saslMechanism(const QMap<QString, QString> &properties)
{
    return properties.value(u"sasl.mechanism"_s,
                            properties.value(u"sasl.mechanisms"_s, u"GSSAPI"_s));
}

std::optional<OAuthConfig> OAuthConfig::takeFrom(QMap<QString, QString> &properties)
{
    const QString mechanism = saslMechanism(properties);
    OAuthConfig config;
    config.token = properties.take(u"sasl.oauthbearer.token"_s).trimmed();
    config.caFile = properties.take(u"https.ca.location"_s);
    if (mechanism != u"OAUTHBEARER"_s ||
        properties.value(u"enable.sasl.oauthbearer.unsecure.jwt"_s) == u"true"_s)
        return std::nullopt;
    const bool fetched = properties.take(u"sasl.oauthbearer.method"_s) == u"oidc"_s;
    const QUrl endpoint(properties.take(u"sasl.oauthbearer.token.endpoint.url"_s));
    config.clientId = properties.take(u"sasl.oauthbearer.client.id"_s);
    config.clientSecret = properties.take(u"sasl.oauthbearer.client.secret"_s);
    config.scope = properties.take(u"sasl.oauthbearer.scope"_s);
    if (fetched)
        config.endpoint = endpoint;
    // "name=value,name=value", as librdkafka has it.
    const QString extensions = properties.take(u"sasl.oauthbearer.extensions"_s);
    for (const QString &each : extensions.split(u',', Qt::SkipEmptyParts))
        config.extensions.insert(each.section(u'=', 0, 0).trimmed(), each.section(u'=', 1));
    if (!fetched)
        config.clientId.clear();
    return config;
}

Result<OAuthToken> oauthToken(const OAuthConfig &config, std::chrono::milliseconds limit,
                              const std::stop_token &stop)
{
    if (!config.token.isEmpty())
        return tokenOf(config.token.toUtf8(), kOpaqueMs);
    if (config.endpoint.isEmpty())
        return Error::make(ErrorKind::InvalidArgument, u"there is no token to log in with"_s);
    return fetchToken(config, limit, stop);
}

} // namespace topicscope::kafka
