#pragma once

#include <QString>

namespace topicscope
{

/// The number as people read it: digits in groups of three, parted by narrow no-break spaces
/// (U+202F) from five digits on: 4212, 10 483, -1 204 551. Every digit is kept.
/// For display alone; what is copied or exported has plain digits.
QString groupedDigits(qint64 number);

/// A number of bytes as people read it: "812 B", "3.0 KiB", "12.5 MiB". For display alone.
QString byteText(qint64 bytes);

} // namespace topicscope
