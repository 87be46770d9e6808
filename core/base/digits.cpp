#include "core/base/digits.h"

namespace topicscope
{

using namespace Qt::StringLiterals;

QString groupedDigits(qint64 number)
{
    QString text = QString::number(number);
    const qsizetype first = number < 0 ? 1 : 0;
    if (text.size() - first < 5)
        return text;
    for (qsizetype at = text.size() - 3; at > first; at -= 3)
        text.insert(at, QChar(0x202f));
    return text;
}

QString byteText(qint64 bytes)
{
    constexpr qint64 kKib = 1024;
    constexpr qint64 kMib = kKib * kKib;
    if (bytes < kKib)
        return u"%1 B"_s.arg(bytes);
    if (bytes < kMib)
        return u"%1 KiB"_s.arg(double(bytes) / double(kKib), 0, 'f', 1);
    return u"%1 MiB"_s.arg(double(bytes) / double(kMib), 0, 'f', 1);
}

} // namespace topicscope
