#include "app/gui/options.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>

namespace topicscope::gui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kMaxSide = 16'384;

Error invalid(const QString &detail)
{
    return Error::make(ErrorKind::InvalidArgument, detail);
}

std::optional<QSize> parseSize(const QString &text)
{
    static const QRegularExpression form(u"^(\\d{1,5})x(\\d{1,5})$"_s);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    const bool sane = size.width() > 0 && size.height() > 0 && size.width() <= kMaxSide &&
                      size.height() <= kMaxSide;
    return sane ? std::optional(size) : std::nullopt;
}

} // namespace

Result<Options> parseOptions(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        u"Looks into the topics of log-structured brokers, and publishes by hand.\n\n"
        "Without HOST:PORT it opens the embedded broker, whose data is kept in your application\n"
        "data folder."_s);
    parser.addPositionalArgument(
        u"broker"_s, u"A broker to connect to, default port 9092; or a file of exported records."_s,
        u"[[kafka://]HOST:PORT | file:PATH]"_s);
    const QCommandLineOption help({u"h"_s, u"help"_s}, u"Show this text."_s);
    const QCommandLineOption version({u"v"_s, u"version"_s}, u"Show the version."_s);
    const QCommandLineOption sample(
        u"sample"_s,
        u"Without HOST:PORT: open the embedded broker with sample data, gone at exit."_s);
    const QCommandLineOption readOnly(u"read-only"_s,
                                      u"Mark the connection read-only: nothing is published."_s);
    const QCommandLineOption open(u"open"_s, u"Open a topic, a partition, or an offset in it."_s,
                                  u"TOPIC[/PARTITION[@OFFSET]]"_s);
    const QCommandLineOption theme(u"theme"_s, u"Colours for this run: light or dark."_s,
                                   u"light|dark"_s);
    const QCommandLineOption snapshot(
        u"snapshot"_s, u"Render the loaded window to a PNG and exit; needs no display."_s,
        u"FILE.png"_s);
    const QCommandLineOption size(u"size"_s, u"Size of the snapshot (default 1280x800)."_s,
                                  u"WIDTHxHEIGHT"_s);
    parser.addOptions({help, version, sample, readOnly, open, theme, snapshot, size});

    Options options;
    if (!parser.parse(arguments))
        return invalid(parser.errorText());
    if (parser.isSet(help)) {
        options.start = Options::Start::Help;
        options.helpText = parser.helpText();
        return options;
    }
    if (parser.isSet(version)) {
        options.start = Options::Start::Version;
        return options;
    }

    const QStringList brokers = parser.positionalArguments();
    if (brokers.size() > 1)
        return invalid(u"One broker at most; got %1."_s.arg(brokers.join(u", "_s)));
    options.sample = parser.isSet(sample) && brokers.isEmpty();
    if (!brokers.isEmpty()) {
        SessionConfig config;
        if (!config.setBroker(brokers.first()))
            return invalid(
                u"\"%1\" is no HOST:PORT with a port from 1 to 65535, and no file:PATH."_s.arg(
                    brokers.first()));
        config.name = config.endpoint();
        config.readOnly = parser.isSet(readOnly);
        if (config.engine == Engine::File) {
            const QFileInfo file(config.host);
            config.host = file.absoluteFilePath();
            config.name = file.fileName();
            config.readOnly = true;
        }
        options.connection = config;
    } else if (parser.isSet(readOnly)) {
        return invalid(u"--read-only needs a HOST:PORT."_s);
    }

    if (parser.isSet(open)) {
        options.open = ui::parsePlace(parser.value(open));
        if (!options.open)
            return invalid(u"\"%1\" is no TOPIC, TOPIC/PARTITION or TOPIC/PARTITION@OFFSET."_s.arg(
                parser.value(open)));
    }
    if (parser.isSet(theme)) {
        const QString value = parser.value(theme);
        if (value != u"light"_s && value != u"dark"_s)
            return invalid(u"--theme is light or dark, not \"%1\"."_s.arg(value));
        options.scheme = value == u"dark"_s ? ui::ColorScheme::Dark : ui::ColorScheme::Light;
    }
    if (parser.isSet(snapshot)) {
        options.snapshotFile = parser.value(snapshot);
        if (options.snapshotFile.isEmpty())
            return invalid(u"--snapshot needs a file name."_s);
    }
    if (parser.isSet(size)) {
        const auto parsed = parseSize(parser.value(size));
        if (!parsed)
            return invalid(u"\"%1\" is no WIDTHxHEIGHT."_s.arg(parser.value(size)));
        if (options.snapshotFile.isEmpty())
            return invalid(u"--size is about the --snapshot."_s);
        options.snapshotSize = *parsed;
    }
    return options;
}

bool hasDisplay()
{
#ifdef Q_OS_LINUX
    return !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
           !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
#else
    return true;
#endif
}

} // namespace topicscope::gui
