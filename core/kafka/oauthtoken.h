#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QUrl>

#include <chrono>
#include <optional>
#include <stop_token>

namespace topicscope::kafka
{

/// How librdkafka logs in with these properties; it may be left out there.
QString saslMechanism(const QMap<QString, QString> &properties);

/// Where OAUTHBEARER tokens come from: pasted, or fetched by us with a client's credentials, since
/// librdkafka can do that only where it was built with libcurl.
struct OAuthConfig {
    QString token; ///< pasted
    QUrl endpoint; ///< of the tokens; the rest is for it
    QString clientId;
    QString clientSecret;
    QString scope;
    QString caFile;                    ///< certificates trusted there beside the system's
    QMap<QString, QString> extensions; ///< sent along with the token

    /// Takes what belongs here out of the properties: librdkafka's own names for OIDC
    /// ("sasl.oauthbearer.method=oidc" and what goes with it, "https.ca.location"), and ours for a
    /// pasted one, "sasl.oauthbearer.token". nullopt when OAUTHBEARER is not the login, or when
    /// librdkafka is told to make unsigned tokens itself.
    static std::optional<OAuthConfig> takeFrom(QMap<QString, QString> &properties);
};

struct OAuthToken {
    QByteArray value;
    qint64 expiresMs = 0; ///< since the epoch
    QString principal;    ///< whom it is for, where it can be read
};

/// The pasted token, or a new one: one POST, no redirects followed. Its lifetime is the answer's
/// `expires_in` or the token's own `exp`; without either it is asked for again soon.
/// @error InvalidArgument: no token, an expired one, or refused by the endpoint, in its own words
/// but without secrets; Network, Timeout, Protocol; Cancelled.
/// Thread: any that has no event loop running; blocking.
/// Source: RFC 6749 section 4.4 and 5, RFC 7519 section 4.1.4.
Result<OAuthToken> oauthToken(const OAuthConfig &config, std::chrono::milliseconds limit,
                              const std::stop_token &stop);

} // namespace topicscope::kafka
