#include "app/cli/payloadargument.h"

#include "app/cli/errorlines.h"
#include "core/records/payloadcodec.h"

#include <QFile>

#include <cstdio>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

QString formatNames()
{
    QStringList names;
    for (const PayloadCodec *codec : PayloadCodec::all()) {
        if (codec->writes())
            names += codec->name();
    }
    return names.join(u", "_s);
}

/// Everything in the file ("-": standard input), but never more than the limit and one byte.
Result<QByteArray> readFile(const QString &path, qint64 maxBytes)
{
    QFile file(path);
    const bool opened =
        path == u"-"_s ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    const QString shown = path == u"-"_s ? u"standard input"_s : path;
    if (!opened)
        return Error::make(ErrorKind::Io, file.errorString(), {{}, {}, {}, shown, {}});
    QByteArray bytes;
    while (bytes.size() <= maxBytes) {
        const QByteArray piece = file.read(maxBytes + 1 - bytes.size());
        if (piece.isEmpty())
            break;
        bytes += piece;
    }
    if (file.error() != QFileDevice::NoError)
        return Error::make(ErrorKind::Io, file.errorString(), {{}, {}, {}, shown, {}});
    if (bytes.size() > maxBytes)
        return refusal(
            u"%1 holds more than the %2 bytes a record can have"_s.arg(shown).arg(maxBytes));
    return bytes;
}

} // namespace

QList<Option> payloadOptions(const QString &name, const QString &what)
{
    return {
        {name, u"TEXT"_s, u"%1 as text; '-' reads standard input"_s.arg(what)},
        {name + u"-format"_s, u"NAME"_s,
         u"what TEXT is: text (default), latin1, utf16le, utf16be, json, hex,\nbase64, int8 … uint64-le, float-be, double-le, uuid"_s},
        {name + u"-hex"_s, u"DIGITS"_s, u"%1 as hex digits, blanks allowed"_s.arg(what)},
        {name + u"-file"_s, u"FILE"_s,
         u"%1 is a file's bytes; '-' reads standard input"_s.arg(what)},
    };
}

Result<std::optional<QByteArray>> payloadArgument(const CommandLine &line, const QString &name,
                                                  qint64 maxBytes)
{
    const auto text = line.value(name);
    const auto hex = line.value(name + u"-hex"_s);
    const auto file = line.value(name + u"-file"_s);
    const auto format = line.value(name + u"-format"_s);
    if (format && (!text || text == u"-"_s))
        return refusal(u"--%1-format says what --%1 TEXT is"_s.arg(name));
    const int given = int(text.has_value()) + int(hex.has_value()) + int(file.has_value());
    if (given == 0)
        return std::optional<QByteArray>();
    if (given > 1)
        return refusal(u"--%1, --%1-hex and --%1-file exclude each other"_s.arg(name));

    Result<QByteArray> bytes = QByteArray();
    if (file || text == u"-"_s) {
        bytes = readFile(file.value_or(u"-"_s), maxBytes);
    } else if (hex) {
        bytes = parseHex(*hex);
        if (!bytes)
            return refusal(u"--%1-hex: %2"_s.arg(name, bytes.error().detail));
    } else if (format) {
        const PayloadCodec *codec = PayloadCodec::byName(*format);
        if (!codec || !codec->writes())
            return refusal(u"unknown format '%1'; there are: %2"_s.arg(*format, formatNames()));
        bytes = codec->encode(*text, {});
        if (!bytes)
            return refusal(u"--%1: %2"_s.arg(name, bytes.error().detail));
    } else {
        bytes = text->toUtf8();
    }
    if (!bytes)
        return std::move(bytes).error();
    if (bytes->size() > maxBytes)
        return refusal(
            u"%1 bytes, but a record can have %2 at most"_s.arg(bytes->size()).arg(maxBytes));
    return std::optional(std::move(bytes).value());
}

} // namespace topicscope::cli
