#include "core/base/digits.h"

namespace topicscope
{

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

} // namespace topicscope
