#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <cstddef>
#include <optional>
#include <span>

namespace topicscope
{

/// Builds one JSON object on one line, fields in the order given. Integers are written exactly, to
/// 64 bits; bytes as {"encoding":"utf-8","data":"..."} when they are well-formed UTF-8, else as
/// {"encoding":"base64","data":"..."}, so they can always be got back. So are bytes of more than a
/// MiB that escaping would make longer than that does. Controls and invisible
/// characters are escaped: printing a line to a terminal is harmless.
class JsonLine
{
public:
    JsonLine &text(const char *name, const QString &value);
    JsonLine &number(const char *name, qint64 value);
    JsonLine &number(const char *name, std::optional<qint64> value); ///< null when not set
    JsonLine &numbers(const char *name, const QList<qint32> &values);
    JsonLine &boolean(const char *name, bool value);
    JsonLine &bytes(const char *name, std::span<const std::byte> value);
    JsonLine &null(const char *name);
    /// The values are written as they are.
    JsonLine &object(const char *name, const JsonLine &value);
    JsonLine &array(const char *name, const QList<JsonLine> &values);

    /// What bytes() writes, alone: an object that says how they are written, so that they can
    /// always be got back.
    static QByteArray bytesObject(std::span<const std::byte> value);
    /// A string with its quotes.
    static QByteArray quoted(const QString &value);
    /// The same of well-formed UTF-8.
    static QByteArray quotedUtf8(std::span<const std::byte> utf8);

    /// The object, without a line feed.
    QByteArray take() const { return m_json + '}'; }

private:
    void begin(const char *name);

    QByteArray m_json = "{";
};

} // namespace topicscope
