#include "tests/support/kafkacertificates.h"

#include <QFile>
#include <QProcess>

namespace topicscope::test
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kLimitMs = 20'000;

/// Runs openssl commands in one directory until one fails.
class OpenSsl
{
public:
    explicit OpenSsl(const QString &directory)
        : m_directory(directory)
    {
    }

    void run(const QString &arguments)
    {
        if (!m_error.isEmpty())
            return;
        QProcess openssl;
        openssl.setWorkingDirectory(m_directory);
        openssl.setProcessChannelMode(QProcess::MergedChannels);
        openssl.start(u"openssl"_s, arguments.split(u' '));
        if (!openssl.waitForFinished(kLimitMs) || openssl.exitCode() != 0)
            m_error = arguments + u": "_s + QString::fromLocal8Bit(openssl.readAll());
    }

    void authority(const QString &name)
    {
        run(u"req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
            "-subj /CN=%1 -keyout %1.key -out %1.pem"_s.arg(name));
    }

    /// Key in PKCS #8 and certificate for one name.
    void certificate(const QString &name, const QString &authority, const QString &extension)
    {
        QFile file(m_directory + u'/' + name + u".ext"_s);
        if (!file.open(QIODevice::WriteOnly) || file.write(extension.toLatin1()) < 0)
            m_error = file.errorString();
        file.close();
        run(u"genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out %1.key"_s.arg(name));
        run(u"req -new -key %1.key -subj /CN=%1 -out %1.csr"_s.arg(name));
        run(u"x509 -req -in %1.csr -CA %2.pem -CAkey %2.key -CAcreateserial -days 2 "
            "-extfile %1.ext -out %1.pem"_s.arg(name, authority));
    }

    const QString &error() const { return m_error; }

private:
    QString m_directory;
    QString m_error;
};

} // namespace

Result<void> makeCertificates(const QString &directory, const QStringList &brokerNames)
{
    OpenSsl openssl(directory);
    openssl.authority(u"ca"_s);
    openssl.authority(u"other-ca"_s);
    openssl.certificate(u"broker"_s, u"ca"_s, u"subjectAltName="_s + brokerNames.join(u','));
    openssl.certificate(u"client"_s, u"ca"_s, u"extendedKeyUsage=clientAuth"_s);
    openssl.certificate(u"stranger"_s, u"other-ca"_s, u"extendedKeyUsage=clientAuth"_s);
    openssl.run(u"pkcs8 -topk8 -in client.key -passout pass:key-password "
                "-out client-encrypted.key"_s);
    if (!openssl.error().isEmpty())
        return Error::make(ErrorKind::Io, u"openssl "_s + openssl.error());
    // Kafka wants both in one file.
    QFile key(directory + u"/broker.key"_s);
    QFile certificate(directory + u"/broker.pem"_s);
    if (!key.open(QIODevice::ReadOnly) ||
        !certificate.open(QIODevice::WriteOnly | QIODevice::Append) ||
        certificate.write(key.readAll()) < 0)
        return Error::make(ErrorKind::Io, certificate.errorString());
    return {};
}

} // namespace topicscope::test
