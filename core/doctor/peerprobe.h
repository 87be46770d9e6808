#pragma once

#include "core/base/callcontext.h"
#include "core/base/result.h"

#include <QByteArray>
#include <QStringList>

#include <optional>

class QSslSocket;

namespace topicscope::doctor
{

/// Who answers behind a port.
struct Peer {
    enum class Kind {
        Kafka,
        Booblik,
        Http,
        Tls,    ///< it answered with a TLS alert
        Closed, ///< it hung up without an answer
        Silent, ///< no answer in time
        Other,
    };
    Kind kind = Kind::Other;
    QByteArray firstBytes; ///< of what it answered, at most 16
};

/// Asks in a way that both kinds of broker answer, each in its own: Kafka's ApiVersions request,
/// version 0, whose header is booblik's, too.
/// Source: Kafka protocol, ApiVersions; booblik protocol, UNSUPPORTED_VERSION for an unknown key.
/// @error Cancelled. Thread: the socket's; blocking for at most `patience`.
Result<Peer> askWhoItIs(QSslSocket &socket, std::chrono::milliseconds patience,
                        const CallContext &context);

/// Whether a Kafka listener wants a login.
struct LoginWish {
    bool wanted = false;
    QStringList mechanisms; ///< those it offers, where it says so
};

/// Asks a Kafka broker that answered askWhoItIs() for this mechanism (SaslHandshake, version 1),
/// which tells those it offers when that is none of them; sends neither user nor password.
/// @return nullopt when it did not answer. @error Cancelled. Thread: as askWhoItIs().
Result<std::optional<LoginWish>> askForLogin(QSslSocket &socket, const QString &mechanism,
                                             std::chrono::milliseconds patience,
                                             const CallContext &context);

} // namespace topicscope::doctor
