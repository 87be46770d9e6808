#include "app/cli/profile.h"

#include "app/cli/errorlines.h"
#include "app/cli/terminal.h"
#include "core/profiles/connectionstore.h"
#include "core/profiles/profilesecrets.h"
#include "core/profiles/propertiesimport.h"
#include "core/profiles/registryconfig.h"
#include "core/profiles/secrets.h"

#include <QEventLoop>
#include <QFile>
#include <QTimer>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

constexpr qint64 kMaxFile = 1'000'000;
constexpr auto kKeychainPatience = 20s; ///< a locked one asks its user

Error usage(const QString &text)
{
    return Error::make(ErrorKind::InvalidArgument, text);
}

Secrets fromKeychain(const QString &profile, const QStringList &names)
{
    Secrets found;
    ProfileSecrets secrets(systemKeychain());
    QEventLoop loop;
    secrets.find(profile, names, &loop, [&](const Secrets &answer) {
        found = answer;
        loop.quit();
    });
    QTimer::singleShot(kKeychainPatience, &loop, &QEventLoop::quit);
    loop.exec();
    return found;
}

} // namespace

Result<SessionConfig> keptConnection(const QString &name)
{
    const ConnectionStore store;
    const auto kept = store.byName(name);
    if (!kept) {
        QStringList names;
        for (const auto &each : store.connections())
            names << u'"' + each.config.displayName() + u'"';
        return usage(names.isEmpty()
                         ? u"no connection is kept; the window's Manage Connections keeps them"_s
                         : u"there is no kept connection \"%1\"; there are: %2"_s.arg(
                               name, names.join(u", "_s)));
    }
    SessionConfig config = kept->config;
    QStringList names = kept->secrets + neededSecrets(config);
    names.removeDuplicates();
    names.removeIf([](const QString &secret) {
        return qEnvironmentVariableIsSet(secretVariable(secret).toLatin1().constData());
    });
    if (!names.isEmpty())
        config.properties.insert(fromKeychain(kept->id, names));
    return config;
}

Result<void> readConfigFile(const QString &file, SessionConfig &config)
{
    QFile in(file);
    if (!in.open(QIODevice::ReadOnly)) {
        ErrorPlace where;
        where.endpoint = file;
        return Error::make(ErrorKind::Io, in.errorString(), where);
    }
    const QByteArray text = in.read(kMaxFile + 1);
    if (text.size() > kMaxFile)
        return usage(u"--config: the file is too large"_s);
    const ImportedProperties imported = importProperties(text);
    config.engine = Engine::Kafka;
    config.properties.insert(imported.properties);
    for (const QString &note : imported.notes)
        printError(file + u": "_s + note);
    return {};
}

QString secretVariable(const QString &property)
{
    QString name = property.toUpper();
    name.replace(u'.', u'_').replace(u'-', u'_');
    return u"TOPICSCOPE_SECRET_"_s + name;
}

Result<void> addSecrets(SessionConfig &config)
{
    const QString login = RegistryConfig::kUserInfo;
    if (const QString value = qEnvironmentVariable(secretVariable(login).toLatin1().constData());
        !value.isEmpty() && !config.properties.contains(login))
        config.properties.insert(login, value);
    if (config.engine != Engine::Kafka)
        return {};
    // What may be wanted, and what must be there.
    const QStringList needed = neededSecrets(config);
    QStringList possible = needed;
    possible << u"ssl.key.password"_s << u"ssl.keystore.password"_s;
    for (const QString &name : std::as_const(possible)) {
        const QString value = qEnvironmentVariable(secretVariable(name).toLatin1().constData());
        if (!value.isEmpty() && !config.properties.contains(name))
            config.properties.insert(name, value);
    }
    for (const QString &name : needed) {
        if (!config.properties.value(name).isEmpty())
            continue;
        const auto typed = askHidden(u"%1 for %2:"_s.arg(name, config.endpoint()));
        if (!typed)
            return typed.error();
        if (!*typed || (*typed)->isEmpty()) {
            return usage(u"%1 is missing: set %2, or keep it in the system's keychain"_s.arg(
                name, secretVariable(name)));
        }
        config.properties.insert(name, **typed);
    }
    return {};
}

} // namespace topicscope::cli
