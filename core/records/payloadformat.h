#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>

#include <cstddef>
#include <span>

namespace topicscope
{

// Bytes of a key or value as text for people. Everything is drawn, nothing is obeyed or lost:
//
//   C0 controls, DEL        their control pictures U+2400 ... U+2421
//   malformed UTF-8         each byte as ‹FF›
//   other controls, bidi and zero-width characters, unassigned and private code points   ‹U+202E›
//   ‹ and the control pictures themselves, where the payload has them                    ‹U+2039›
//
// so two different payloads never look the same. JSON layout is in records/jsontext.h.
// Thread: any (pure). Cost: bounded by the bytes asked for, never by the payload's size.

inline constexpr qsizetype kPreviewBytes = 256;

/// One line for a table cell: at most kPreviewBytes are looked at and at most `maxChars` UTF-16
/// units returned; ends with '…' when the payload goes on. Line ends and tabs are drawn.
QString previewText(std::span<const std::byte> bytes, qsizetype maxChars = kPreviewBytes);

struct TextPiece {
    QString text;
    qsizetype nextByte = 0; ///< where to go on; the payload's size at its end
};

/// Multi-line text of about `count` bytes from `from`; a character is never cut, so the piece may
/// take up to three bytes more. Line feeds and tabs are drawn and then obeyed: "␊\n", "␉\t".
TextPiece textView(std::span<const std::byte> bytes, qsizetype from, qsizetype count);

/// One code point as the functions above draw it, on one line.
void appendDrawn(QString &out, char32_t codePoint);
/// A byte that belongs to no character.
void appendDrawn(QString &out, std::byte byte);
QString drawnCharacter(char32_t codePoint);

/// "00000010  7b 22 69 64 22 3a 34 32  2c 22 6e 61 6d 65 22 3a  |{"id":42,"name":|", 16 bytes a
/// line, for `count` bytes from `from` (both clamped to the payload). No line feed at the end.
QString hexDump(std::span<const std::byte> bytes, qsizetype from, qsizetype count);

/// Lower-case digits, two a byte, nothing between.
QString hexString(std::span<const std::byte> bytes);

/// Reads hex digits in groups of whole bytes; groups may be separated by blanks, line ends, ':'
/// or ',' and begin with 0x. Empty text is zero bytes.
/// @error InvalidArgument; where.byte is the position of the first wrong character.
Result<QByteArray> parseHex(const QString &text);

/// Whether all of it is well-formed UTF-8 (shortest forms, no surrogates).
bool isValidUtf8(std::span<const std::byte> bytes);

/// How many bytes belong to no well-formed character.
qint64 malformedBytes(std::span<const std::byte> bytes);

/// UTF-8 as it stands: a byte order mark at its begin stays (QString::fromUtf8() drops it), what is
/// malformed becomes U+FFFD.
QString utf8Text(std::span<const std::byte> bytes);

enum class PayloadKind {
    Empty,
    Json,   ///< an object or array
    Text,   ///< UTF-8 with no other controls than line ends, tabs and escape
    Binary, ///< anything else
};

/// As far as detection looks, at most.
inline constexpr qsizetype kDetectBytes = qsizetype{64} * 1024;

/// What a payload seems to be; cheap: a longer one than `limit` is judged by its beginning and its
/// last bytes.
PayloadKind detectKind(std::span<const std::byte> bytes, qsizetype limit = kDetectBytes);

} // namespace topicscope
