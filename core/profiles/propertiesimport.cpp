#include "core/profiles/propertiesimport.h"

#include "core/profiles/jaasconfig.h"
#include "core/profiles/propertycatalog.h"
#include "core/profiles/registryconfig.h"

#include <QRegularExpression>

#include <algorithm>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

using Properties = QMap<QString, QString>;

bool isBlank(QChar c)
{
    return c == u' ' || c == u'\t' || c == u'\f';
}

/// Logical lines: comments and empty ones left out, continued ones joined.
QStringList javaLines(const QString &text)
{
    QStringList lines;
    QString line;
    bool goesOn = false;
    QString normal = text;
    normal.replace(u"\r\n"_s, u"\n"_s).replace(u'\r', u'\n');
    for (const QString &raw : normal.split(u'\n')) {
        qsizetype begin = 0;
        while (begin < raw.size() && isBlank(raw[begin]))
            ++begin;
        const QString part = raw.sliced(begin);
        if (!goesOn && (part.isEmpty() || part.startsWith(u'#') || part.startsWith(u'!')))
            continue;
        qsizetype slashes = 0;
        while (slashes < part.size() && part[part.size() - 1 - slashes] == u'\\')
            ++slashes;
        goesOn = slashes % 2 == 1;
        line += goesOn ? part.chopped(1) : part;
        if (!goesOn)
            lines << std::exchange(line, {});
    }
    if (!line.isEmpty())
        lines << line;
    return lines;
}

QString unescaped(QStringView text)
{
    QString result;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] != u'\\' || i + 1 == text.size()) {
            result += text[i];
            continue;
        }
        const QChar c = text[++i];
        bool ok = false;
        const uint code =
            c == u'u' && i + 4 < text.size() ? text.sliced(i + 1, 4).toString().toUInt(&ok, 16) : 0;
        if (ok) {
            result += QChar(ushort(code));
            i += 4;
        } else {
            result += c == u'n'   ? QChar(u'\n')
                      : c == u't' ? QChar(u'\t')
                      : c == u'r' ? QChar(u'\r')
                      : c == u'f' ? QChar(u'\f')
                                  : c;
        }
    }
    return result;
}

/// Takes what RegistryConfig makes something of.
void takeRegistry(const QString &name, const QString &value, ImportedProperties &result)
{
    const bool isPem = value.endsWith(u".pem"_s, Qt::CaseInsensitive);
    if (name == RegistryConfig::kUrl || name == RegistryConfig::kCaFile) {
        result.properties.insert(name, value);
    } else if (name == u"schema.registry.ssl.truststore.location"_s && isPem) {
        result.properties.insert(RegistryConfig::kCaFile, value);
    } else if (name == u"basic.auth.credentials.source"_s) {
        if (value != u"USER_INFO"_s && value != u"URL"_s)
            result.notes << u"%1 was not taken: logins are user and password."_s.arg(name);
    } else if (name.endsWith(u"basic.auth.user.info"_s)) {
        result.properties.insert(RegistryConfig::kUserInfo, value);
    } else {
        result.notes << u"%1 was not taken: it is not known here."_s.arg(name);
    }
}

/// Turns a Java client's properties into librdkafka's.
class JavaImport
{
public:
    explicit JavaImport(Properties java)
        : m_java(std::move(java))
    {
    }

    ImportedProperties run()
    {
        const QString protocol = m_java.take(u"security.protocol"_s);
        if (!protocol.isEmpty())
            set(u"security.protocol"_s, protocol.toLower());
        takeHostNameCheck();
        takeTrustStore();
        takeKeyStore();
        takeLogin();
        for (auto each = m_java.cbegin(); each != m_java.cend(); ++each)
            takeOther(each.key(), each.value());
        return m_result;
    }

private:
    void set(const QString &name, const QString &value) { m_result.properties.insert(name, value); }
    void note(const QString &text) { m_result.notes << text; }

    void takeHostNameCheck()
    {
        const QString name = u"ssl.endpoint.identification.algorithm"_s;
        if (m_java.contains(name)) {
            const QString value = m_java.take(name);
            set(name, value.isEmpty() ? u"none"_s : value.toLower());
        }
    }

    QString storeType(const QString &store)
    {
        QString type = m_java.take(store + u".type"_s).toUpper();
        const QString file = m_java.value(store + u".location"_s).toLower();
        if (!type.isEmpty())
            return type;
        if (file.endsWith(u".p12"_s) || file.endsWith(u".pfx"_s))
            return u"PKCS12"_s;
        return file.endsWith(u".pem"_s) ? u"PEM"_s : u"JKS"_s; // Java's default is JKS
    }

    void takeTrustStore()
    {
        const QString type = storeType(u"ssl.truststore"_s);
        const QString file = m_java.take(u"ssl.truststore.location"_s);
        const QString certificates = m_java.take(u"ssl.truststore.certificates"_s);
        m_java.remove(u"ssl.truststore.password"_s); // for what cannot be read anyway
        if (!certificates.isEmpty())
            set(u"ssl.ca.pem"_s, certificates);
        if (file.isEmpty())
            return;
        if (type == u"PEM"_s) {
            set(u"ssl.ca.location"_s, file);
            return;
        }
        const QString listing = type == u"PKCS12"_s
                                    ? u"openssl pkcs12 -in \"%1\" -nokeys -out ca.pem"_s.arg(file)
                                    : u"keytool -list -rfc -keystore \"%1\" > ca.pem"_s.arg(file);
        note(u"The trust store %1 (%2) cannot be read by librdkafka. Write its certificates to a "
             u"PEM file and choose that: %3"_s.arg(file, type, listing));
    }

    void takeKeyStore()
    {
        const QString type = storeType(u"ssl.keystore"_s);
        const QString file = m_java.take(u"ssl.keystore.location"_s);
        const QString password = m_java.take(u"ssl.keystore.password"_s);
        const QString keyPassword = m_java.take(u"ssl.key.password"_s);
        const QString key = m_java.take(u"ssl.keystore.key"_s);
        const QString chain = m_java.take(u"ssl.keystore.certificate.chain"_s);
        if (!chain.isEmpty())
            set(u"ssl.certificate.pem"_s, chain);
        if (!key.isEmpty())
            set(u"ssl.key.pem"_s, key);
        const bool isPem = type == u"PEM"_s;
        if ((isPem || !key.isEmpty()) && !keyPassword.isEmpty())
            set(u"ssl.key.password"_s, keyPassword);
        if (file.isEmpty())
            return;
        if (isPem) { // one file with both
            set(u"ssl.certificate.location"_s, file);
            set(u"ssl.key.location"_s, file);
        } else if (type == u"PKCS12"_s) {
            set(u"ssl.keystore.location"_s, file);
            if (!password.isEmpty())
                set(u"ssl.keystore.password"_s, password);
        } else {
            note(u"The key store %1 (%2) cannot be read by librdkafka. Convert it and choose the "
                 u"new file: keytool -importkeystore -srckeystore \"%1\" -destkeystore client.p12 "
                 u"-deststoretype PKCS12"_s.arg(file, type));
        }
    }

    void takeLogin()
    {
        const QString handler = m_java.take(u"sasl.login.callback.handler.class"_s);
        const QString endpoint = m_java.take(u"sasl.oauthbearer.token.endpoint.url"_s);
        if (!endpoint.isEmpty())
            set(u"sasl.oauthbearer.token.endpoint.url"_s, endpoint);
        if (!endpoint.isEmpty() || handler.endsWith(u"OAuthBearerLoginCallbackHandler"_s))
            set(u"sasl.oauthbearer.method"_s, u"oidc"_s);
        else if (!handler.isEmpty())
            note(u"%1 is Java code; only the login itself was taken."_s.arg(handler));
        if (const QString jaas = m_java.take(u"sasl.jaas.config"_s); !jaas.isEmpty())
            takeJaas(parseJaas(jaas));
    }

    void takeJaas(const JaasLogin &login)
    {
        const auto copy = [&](const QString &option, const QString &property) {
            if (const QString value = login.options.value(option); !value.isEmpty())
                set(property, value);
        };
        const QString module = login.module.section(u'.', -1);
        if (module == u"PlainLoginModule"_s || module == u"ScramLoginModule"_s) {
            copy(u"username"_s, u"sasl.username"_s);
            copy(u"password"_s, u"sasl.password"_s);
            if (login.options.value(u"tokenauth"_s) == u"true"_s)
                note(u"Logging in with a delegation token (tokenauth) is not supported."_s);
        } else if (module == u"OAuthBearerLoginModule"_s) {
            copy(u"clientId"_s, u"sasl.oauthbearer.client.id"_s);
            copy(u"clientSecret"_s, u"sasl.oauthbearer.client.secret"_s);
            copy(u"scope"_s, u"sasl.oauthbearer.scope"_s);
            takeTokenOptions(login.options);
        } else if (module == u"Krb5LoginModule"_s) {
            copy(u"principal"_s, u"sasl.kerberos.principal"_s);
            copy(u"serviceName"_s, u"sasl.kerberos.service.name"_s);
            if (login.options.value(u"useKeyTab"_s) == u"true"_s)
                copy(u"keyTab"_s, u"sasl.kerberos.keytab"_s);
            else // the ticket the user has
                set(u"sasl.kerberos.min.time.before.relogin"_s, u"0"_s);
        } else {
            // What is no class name may be anything, a password too.
            static const QRegularExpression className(u"^[A-Za-z_$][\\w.$]*\\z"_s);
            const bool isName = className.match(login.module).hasMatch();
            note(u"The login module %1 is not known here."_s.arg(
                isName ? login.module : u"of sasl.jaas.config"_s));
        }
    }

    void takeTokenOptions(const Properties &options)
    {
        QStringList extensions;
        for (auto option = options.cbegin(); option != options.cend(); ++option) {
            if (option.key().startsWith(u"extension_"_s))
                extensions << option.key().mid(10) + u'=' + option.value();
        }
        if (!extensions.isEmpty())
            set(u"sasl.oauthbearer.extensions"_s, extensions.join(u','));
        const QString subject = options.value(u"unsecuredLoginStringClaim_sub"_s);
        if (!subject.isEmpty()) {
            set(u"enable.sasl.oauthbearer.unsecure.jwt"_s, u"true"_s);
            set(u"sasl.oauthbearer.config"_s, u"principal="_s + subject);
        }
    }

    void takeOther(const QString &name, const QString &value)
    {
        static const QStringList same = {
            u"bootstrap.servers"_s,
            u"client.id"_s,
            u"client.rack"_s,
            u"metadata.max.age.ms"_s,
            u"reconnect.backoff.max.ms"_s,
            u"reconnect.backoff.ms"_s,
            u"sasl.kerberos.service.name"_s,
            u"sasl.mechanism"_s,
            u"sasl.oauthbearer.client.id"_s, // from 4.1 on beside the module's options
            u"sasl.oauthbearer.scope"_s,
            u"socket.connection.setup.timeout.ms"_s,
        };
        if (same.contains(name)) {
            set(name, value);
        } else if (RegistryConfig::isOwn(name)) {
            takeRegistry(name, value, m_result);
        } else if (name == u"sasl.oauthbearer.client.credentials.client.id"_s) {
            set(u"sasl.oauthbearer.client.id"_s, value);
        } else if (name == u"sasl.oauthbearer.client.credentials.client.secret"_s) {
            set(u"sasl.oauthbearer.client.secret"_s, value);
        } else if (name.startsWith(u"ssl."_s) || name.startsWith(u"sasl."_s)) {
            note(u"%1 was not taken: librdkafka has no such setting."_s.arg(name));
        } else {
            note(u"%1 was not taken: it is not about the connection."_s.arg(name));
        }
    }

    Properties m_java;
    ImportedProperties m_result;
};

ImportedProperties fromKcat(const Properties &given)
{
    ImportedProperties result;
    for (auto each = given.cbegin(); each != given.cend(); ++each) {
        if (isFixedByProgram(each.key()) || each.key().startsWith(u"topic."_s) ||
            each.key() == u"group.id"_s) {
            result.notes << u"%1 was not taken: the program sets it itself."_s.arg(each.key());
        } else if (each.key() == u"metadata.broker.list"_s) {
            result.properties.insert(u"bootstrap.servers"_s, each.value());
        } else if (each.key() == u"sasl.mechanisms"_s) {
            result.properties.insert(u"sasl.mechanism"_s, each.value());
        } else if (each.key() == u"security.protocol"_s) {
            result.properties.insert(each.key(), each.value().toLower());
        } else if (RegistryConfig::isOwn(each.key())) {
            takeRegistry(each.key(), each.value(), result);
        } else {
            result.properties.insert(each.key(), each.value());
        }
    }
    return result;
}

/// Takes out what must not come from a file of others, under whatever name it would be used.
void takeOutDangers(Properties &properties, QStringList &notes)
{
    properties.removeIf([&notes](const auto &property) {
        const QString &name = property.key();
        QString reason;
        if (loadsForeignCode(name))
            reason = u"it would load foreign code"_s;
        else if (runsCommand(name))
            reason = u"its value is a command that a shell would run. Type it by hand if you "
                     u"trust it"_s;
        else if (breaksCommand(name, property.value()))
            reason = u"it becomes part of the kinit command, and a shell would run what it holds"_s;
        if (!reason.isEmpty())
            notes << u"%1 was not taken: %2."_s.arg(name, reason);
        return !reason.isEmpty();
    });
}

} // namespace

QMap<QString, QString> parseKcatConfig(const QString &text)
{
    Properties properties;
    for (const QString &raw : text.split(u'\n')) {
        const QString line = raw.trimmed();
        const qsizetype equals = line.indexOf(u'=');
        if (!line.startsWith(u'#') && equals > 0)
            properties.insert(line.first(equals).trimmed(), line.sliced(equals + 1).trimmed());
    }
    return properties;
}

QMap<QString, QString> parseJavaProperties(const QString &text)
{
    Properties properties;
    for (const QString &line : javaLines(text)) {
        qsizetype end = 0;
        while (end < line.size() && !isBlank(line[end]) && line[end] != u'=' && line[end] != u':')
            end += line[end] == u'\\' ? 2 : 1;
        end = std::min(end, line.size());
        qsizetype value = end;
        while (value < line.size() && isBlank(line[value]))
            ++value;
        if (value < line.size() && (line[value] == u'=' || line[value] == u':')) {
            ++value;
            while (value < line.size() && isBlank(line[value]))
                ++value;
        }
        properties.insert(unescaped(QStringView(line).first(end)),
                          unescaped(QStringView(line).sliced(value)));
    }
    return properties;
}

ImportedProperties importProperties(const QByteArray &text)
{
    // Names that only librdkafka has.
    static const QStringList librdkafkas = {u"metadata.broker.list"_s,
                                            u"sasl.mechanisms"_s,
                                            u"sasl.password"_s,
                                            u"sasl.username"_s,
                                            u"ssl.ca.location"_s,
                                            u"ssl.ca.pem"_s,
                                            u"ssl.certificate.location"_s,
                                            u"ssl.certificate.pem"_s,
                                            u"ssl.key.location"_s,
                                            u"ssl.key.pem"_s,
                                            u"sasl.kerberos.keytab"_s,
                                            u"sasl.oauthbearer.method"_s,
                                            u"enable.ssl.certificate.verification"_s};
    QString decoded = QString::fromUtf8(text);
    if (decoded.startsWith(QChar::ByteOrderMark))
        decoded.remove(0, 1);
    Properties given = parseKcatConfig(decoded);
    const bool isKcats = std::ranges::any_of(
        librdkafkas, [&given](const QString &name) { return given.contains(name); });
    if (!isKcats)
        given = parseJavaProperties(decoded);
    QStringList notes;
    takeOutDangers(given, notes);
    ImportedProperties result = isKcats ? fromKcat(given) : JavaImport(std::move(given)).run();
    RegistryConfig::moveLogin(result.properties);
    takeOutDangers(result.properties, notes); // a JAAS login has them under other names
    result.notes = notes + result.notes;
    return result;
}

} // namespace topicscope
