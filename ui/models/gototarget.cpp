#include "ui/models/gototarget.h"

#include <QStringList>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

std::optional<GoToTarget> GoToTarget::parse(const QString &text)
{
    QString word;
    for (const QChar c : text.toLower()) {
        if (!c.isSpace() && c != u',' && c != u'\u202f')
            word += c;
    }
    if (QStringList({u"start"_s, u"first"_s, u"begin"_s, u"earliest"_s}).contains(word))
        return GoToTarget{From::Start, 0};
    if (QStringList({u"end"_s, u"last"_s, u"latest"_s}).contains(word))
        return GoToTarget{From::End, 0};
    const bool before = word.startsWith(u'-');
    const QString digits = before ? word.sliced(1) : word;
    bool ok = false;
    const qint64 number = digits.toLongLong(&ok);
    if (!ok || !digits[0].isDigit())
        return std::nullopt;
    return GoToTarget{before ? From::End : From::Zero, number};
}

} // namespace topicscope::ui
