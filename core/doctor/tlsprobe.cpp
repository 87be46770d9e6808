#include "core/doctor/tlsprobe.h"

#include <QFile>
#include <QFileInfo>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>

namespace topicscope::doctor
{

using namespace Qt::StringLiterals;

namespace
{

Error unusable(const QString &property, const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, property + u": "_s + why);
}

/// The PEM text of `name`.pem, or the file that `name`.location names; empty when neither is set.
Result<QByteArray> pem(const QMap<QString, QString> &properties, const QString &name)
{
    if (const QString text = properties.value(name + u".pem"_s); !text.isEmpty())
        return text.toUtf8();
    const QString path = properties.value(name + u".location"_s);
    if (path.isEmpty())
        return QByteArray();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unusable(name + u".location"_s, u"%1: %2"_s.arg(path, file.errorString()));
    constexpr qint64 kMaxPemBytes = 4'194'304;
    return file.read(kMaxPemBytes);
}

Result<void> addTrusted(QSslConfiguration &tls, const QMap<QString, QString> &properties)
{
    const QString location = u"ssl.ca.location"_s;
    const QString path = properties.value(location);
    if (!path.isEmpty() && QFileInfo(path).isDir()) {
        tls.setCaCertificates(QSslCertificate::fromPath(path + u"/*"_s, QSsl::Pem,
                                                        QSslCertificate::PatternSyntax::Wildcard));
        return {};
    }
    const auto text = pem(properties, u"ssl.ca"_s);
    if (!text)
        return text.error();
    if (text->isEmpty())
        return {}; // the system's
    const auto certificates = QSslCertificate::fromData(*text, QSsl::Pem);
    if (certificates.isEmpty())
        return unusable(location, u"holds no certificate in PEM"_s);
    tls.setCaCertificates(certificates);
    return {};
}

Result<void> addOurs(QSslConfiguration &tls, const QMap<QString, QString> &properties)
{
    if (const QString store = properties.value(u"ssl.keystore.location"_s); !store.isEmpty()) {
        QFile file(store);
        QSslKey key;
        QSslCertificate certificate;
        QList<QSslCertificate> chain;
        if (!file.open(QIODevice::ReadOnly) ||
            !QSslCertificate::importPkcs12(&file, &key, &certificate, &chain,
                                           properties.value(u"ssl.keystore.password"_s).toUtf8()))
            return unusable(u"ssl.keystore.location"_s,
                            u"%1 cannot be read, or not with this password"_s.arg(store));
        tls.setLocalCertificateChain(QList{certificate} + chain);
        tls.setPrivateKey(key);
        return {};
    }
    const auto certificate = pem(properties, u"ssl.certificate"_s);
    if (!certificate)
        return certificate.error();
    const auto keyText = pem(properties, u"ssl.key"_s);
    if (!keyText)
        return keyText.error();
    if (certificate->isEmpty() && keyText->isEmpty())
        return {};
    const auto chain = QSslCertificate::fromData(*certificate, QSsl::Pem);
    if (chain.isEmpty())
        return unusable(u"ssl.certificate.location"_s, u"holds no certificate in PEM"_s);
    const QByteArray password = properties.value(u"ssl.key.password"_s).toUtf8();
    QSslKey key;
    for (const auto algorithm : {QSsl::Rsa, QSsl::Ec, QSsl::Dsa}) {
        key = QSslKey(*keyText, algorithm, QSsl::Pem, QSsl::PrivateKey, password);
        if (!key.isNull())
            break;
    }
    if (key.isNull())
        return unusable(u"ssl.key.location"_s,
                        u"holds no private key in PEM, or its password is another"_s);
    tls.setLocalCertificateChain(chain);
    tls.setPrivateKey(key);
    return {};
}

QStringList namesOf(const QSslCertificate &certificate)
{
    QStringList names = certificate.subjectAlternativeNames().values();
    if (names.isEmpty())
        names = certificate.subjectInfo(QSslCertificate::CommonName);
    names.sort();
    return names;
}

bool isOn(const QMap<QString, QString> &properties, const QString &name)
{
    return properties.value(name, u"true"_s).compare(u"false"_s, Qt::CaseInsensitive) != 0;
}

} // namespace

Result<TlsFinding> shakeHands(QSslSocket &socket, const QString &host,
                              const QMap<QString, QString> &properties,
                              std::chrono::milliseconds patience, const CallContext &context)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    if (auto added = addTrusted(tls, properties); !added)
        return std::move(added).error();
    if (auto added = addOurs(tls, properties); !added)
        return std::move(added).error();
    socket.setSslConfiguration(tls);
    socket.setPeerVerifyName(host);
    socket.ignoreSslErrors(); // they are told, and nothing is sent after them

    const CallContext limited = context.within(patience);
    socket.startClientEncryption();
    while (!socket.isEncrypted() && socket.state() == QAbstractSocket::ConnectedState) {
        if (const auto interruption = limited.interruption()) {
            if (context.stop.stop_requested())
                return *interruption;
            break;
        }
        socket.waitForEncrypted(int(limited.slice().count()));
    }
    TlsFinding finding;
    finding.established = socket.isEncrypted();
    if (!finding.established) {
        finding.failure = socket.state() == QAbstractSocket::ConnectedState
                              ? u"no answer to the handshake"_s
                              : socket.errorString();
        return finding;
    }
    const QSslCertificate certificate = socket.peerCertificate();
    finding.version = socket.sessionProtocol() == QSsl::TlsV1_3   ? u"TLS 1.3"_s
                      : socket.sessionProtocol() == QSsl::TlsV1_2 ? u"TLS 1.2"_s
                                                                  : u"an old TLS version"_s;
    finding.names = namesOf(certificate);
    finding.issuer = certificate.issuerInfo(QSslCertificate::CommonName).join(u", "_s);
    finding.expires = certificate.expiryDate().toUTC();
    if (!isOn(properties, u"enable.ssl.certificate.verification"_s))
        return finding;
    const bool namesMatter =
        properties.value(u"ssl.endpoint.identification.algorithm"_s, u"https"_s) != u"none"_s;
    const auto errors = socket.sslHandshakeErrors();
    for (const QSslError &error : errors) {
        if (error.error() != QSslError::HostNameMismatch)
            finding.problems << error.errorString();
        else if (namesMatter)
            finding.wrongName = true;
    }
    finding.problems.removeDuplicates();
    return finding;
}

} // namespace topicscope::doctor
