#include "core/decode/protobuffiles.h"

#include <QStringList>

namespace topicscope
{

using namespace Qt::StringLiterals;

Result<int> findMessage(const ProtobufSchema &schema, const QString &name)
{
    constexpr qsizetype kMostNamed = 20;
    if (name.isEmpty() && schema.topLevel.size() == 1)
        return schema.topLevel.first();
    QList<int> found;
    QStringList names;
    for (size_t i = 0; i < schema.messages.size(); ++i) {
        const QString &each = schema.messages[i].name;
        if (!name.isEmpty() && each == name)
            return int(i);
        if (!name.isEmpty() && each.endsWith(u'.' + name))
            found.append(int(i));
        if (names.size() < kMostNamed)
            names.append(each);
    }
    if (found.size() == 1)
        return found.first();
    const QString there = u"there are: %1"_s.arg(names.join(u", "_s));
    const QString why = name.isEmpty() ? u"which message is it? %1"_s.arg(there)
                                       : u"no single message \"%1\"; %2"_s.arg(name, there);
    return Error::make(ErrorKind::InvalidArgument, why);
}

} // namespace topicscope
