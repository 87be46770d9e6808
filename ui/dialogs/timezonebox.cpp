#include "ui/dialogs/timezonebox.h"

#include <QCompleter>
#include <QTimeZone>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

TimeZoneBox::TimeZoneBox(QWidget *parent)
    : QComboBox(parent)
{
    setEditable(true);
    setInsertPolicy(NoInsert);
    addItem(tr("UTC"), u"utc"_s);
    addItem(tr("Local (%1)").arg(QString::fromUtf8(QTimeZone::systemTimeZoneId())), u"local"_s);
    addItem(tr("Milliseconds since 1970"), u"epoch"_s);
    const QList<QByteArray> zones = QTimeZone::availableTimeZoneIds();
    for (const QByteArray &zone : zones) {
        const QString name = QString::fromUtf8(zone);
        if (name != u"UTC")
            addItem(name, name);
    }
    completer()->setFilterMode(Qt::MatchContains);
    completer()->setCompletionMode(QCompleter::PopupCompletion);
}

void TimeZoneBox::setTimeStyle(const TimeStyle &style)
{
    const int index = findData(style.name());
    if (index >= 0)
        setCurrentIndex(index);
    else
        setEditText(style.name());
}

std::optional<TimeStyle> TimeZoneBox::timeStyle() const
{
    const QString typed = currentText().trimmed();
    const int index = findText(typed, Qt::MatchFixedString);
    return TimeStyle::named(index >= 0 ? itemData(index).toString() : typed);
}

} // namespace topicscope::ui
