#pragma once

#include "core/base/callcontext.h"
#include "core/base/result.h"

#include <QDateTime>
#include <QMap>
#include <QStringList>

class QSslSocket;

namespace topicscope::doctor
{

/// What came of a TLS handshake that was carried through whatever was wrong with the certificate,
/// so that it can be said.
struct TlsFinding {
    bool established = false;
    QString failure;        ///< the system's words, when not established
    QString version;        ///< "TLSv1.3"
    QStringList names;      ///< whom the presented certificate is for
    QString issuer;         ///< who signed it
    QDateTime expires;      ///< UTC
    bool wrongName = false; ///< none of `names` is the wanted one, and that is checked
    QStringList problems;   ///< why the certificate is not trusted, where that is checked
};

/// Shakes hands over a connected socket with what librdkafka's ssl.* properties say, as far as they
/// are files and PEM texts.
/// @param host  the name the certificate is wanted for
/// @error InvalidArgument: a file cannot be read, or holds no certificate or key. Cancelled.
/// Thread: the socket's; blocking for at most `patience`.
Result<TlsFinding> shakeHands(QSslSocket &socket, const QString &host,
                              const QMap<QString, QString> &properties,
                              std::chrono::milliseconds patience, const CallContext &context);

} // namespace topicscope::doctor
