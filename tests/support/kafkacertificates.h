#pragma once

#include "core/base/result.h"

#include <QStringList>

namespace topicscope::test
{

/// Makes a certificate authority and what it signs, all in PEM, with the program openssl:
/// ca.pem; broker.pem (key, certificate); client.pem, client.key, client-encrypted.key (password
/// "key-password"); and other-ca.pem with stranger.pem, stranger.key.
/// @param brokerNames  as openssl writes them: "DNS:localhost", "IP:127.0.0.1"
/// @error Io with what openssl says.
Result<void> makeCertificates(const QString &directory, const QStringList &brokerNames);

} // namespace topicscope::test
