#include "core/booblik/topicname.h"

#include "core/booblik/messages.h"

#include <algorithm>

namespace topicscope::booblik
{

using namespace Qt::StringLiterals;

QString readTopicName(ByteReader &in)
{
    const quint16 length = in.u16();
    const auto raw = in.bytes(length);
    if (!in.ok())
        return {};
    const QByteArrayView view(raw.data(), qsizetype(raw.size()));
    // QString::fromUtf8 drops a leading byte order mark, which is no letter and so not allowed.
    if (view.startsWith(QByteArrayView("\xEF\xBB\xBF"))) {
        in.fail();
        return {};
    }
    QString name = QString::fromUtf8(view);
    if (!isValidTopicName(name))
        in.fail();
    return name;
}

QString readTopicNameUnchecked(ByteReader &in)
{
    const auto raw = in.bytes(in.u16());
    return QString::fromUtf8(reinterpret_cast<const char *>(raw.data()), qsizetype(raw.size()));
}

void writeTopicName(ByteWriter &out, const QString &name)
{
    const QByteArray utf8 = name.toUtf8();
    Q_ASSERT(utf8.size() <= 0xFFFF);
    out.u16(quint16(utf8.size()));
    out.bytes(utf8);
}

bool isValidTopicName(const QString &name)
{
    // Unit by unit, not by code point: a surrogate half is neither letter nor digit, which keeps
    // out everything beyond the basic plane. isLetterOrNumber() would let numerals like U+2167 in.
    return !name.isEmpty() && name.size() <= wire::kMaxTopicUnits &&
           std::all_of(name.cbegin(), name.cend(), [](QChar c) {
               return c.isLetter() || c.isDigit() || c == u'.' || c == u'_' || c == u'-';
           });
}

} // namespace topicscope::booblik
