#include "ui/panels/timestampedit.h"

#include "core/records/timestyle.h"

#include <QComboBox>
#include <QDateTimeEdit>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStackedWidget>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

TimestampEdit::TimestampEdit(QWidget *parent)
    : QWidget(parent)
    , m_mode(new QComboBox)
    , m_pages(new QStackedWidget)
    , m_date(new QDateTimeEdit)
    , m_ms(new QLineEdit)
{
    m_mode->setObjectName(u"timeMode"_s);
    m_mode->setAccessibleName(tr("The record's time"));
    m_mode->addItem(tr("at sending"), QVariant::fromValue(Mode::Now));
    m_mode->addItem({}, QVariant::fromValue(Mode::Date));
    m_mode->addItem(tr("ms"), QVariant::fromValue(Mode::Milliseconds));
    m_mode->setItemData(2, tr("Milliseconds since 1970, as they are stored"), Qt::ToolTipRole);
    m_date->setObjectName(u"timeDate"_s);
    m_date->setTimeSpec(Qt::UTC); // which has all times of day; whose they are, dateMs() knows
    m_date->setDisplayFormat(u"yyyy-MM-dd HH:mm:ss.zzz"_s);
    m_ms->setObjectName(u"timeMs"_s);
    m_ms->setAccessibleName(tr("Milliseconds since 1970"));
    m_pages->addWidget(m_date);
    m_pages->addWidget(m_ms);
    m_pages->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(6);
    layout->addWidget(m_mode);
    layout->addWidget(m_pages, 1);
    layout->addStretch();
    setFocusProxy(m_mode);
    nameZone();
    showMode(Mode::Now);

    connect(m_mode, &QComboBox::activated, this, &TimestampEdit::onModeChosen);
    connect(m_date, &QDateTimeEdit::dateTimeChanged, this, [this] {
        m_last = dateMs();
        emit changed();
    });
    connect(m_ms, &QLineEdit::textChanged, this, [this] {
        if (isValid())
            m_last = m_ms->text().trimmed().toLongLong();
        emit changed();
    });
}

void TimestampEdit::nameZone()
{
    const QString zone = QString::fromUtf8(TimeStyle::current().zone().id());
    m_mode->setItemText(1, zone);
    m_mode->setItemData(1, tr("A date and time of day in %1").arg(zone), Qt::ToolTipRole);
    m_date->setAccessibleName(tr("Time in %1").arg(zone));
}

void TimestampEdit::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::LocaleChange)
        return;
    nameZone();
    setTimestampMs(timestampMs());
}

qint64 TimestampEdit::dateMs() const
{
    return QDateTime(m_date->date(), m_date->time(), TimeStyle::current().zone())
        .toMSecsSinceEpoch();
}

TimestampEdit::Mode TimestampEdit::mode() const
{
    return m_mode->currentData().value<Mode>();
}

bool TimestampEdit::isValid() const
{
    bool ok = true;
    if (mode() == Mode::Milliseconds)
        (void)m_ms->text().trimmed().toLongLong(&ok);
    return ok;
}

std::optional<qint64> TimestampEdit::timestampMs() const
{
    return mode() == Mode::Now ? std::nullopt : std::optional(m_last);
}

void TimestampEdit::showMode(Mode mode)
{
    m_mode->setCurrentIndex(int(mode));
    m_pages->setVisible(mode != Mode::Now);
    if (mode != Mode::Now)
        m_pages->setCurrentIndex(int(mode) - 1);
}

void TimestampEdit::setTimestampMs(std::optional<qint64> ms)
{
    if (ms)
        m_last = *ms;
    QDateTime date = QDateTime::fromMSecsSinceEpoch(m_last, TimeStyle::current().zone());
    date = QDateTime(date.date(), date.time(), Qt::UTC);
    const bool hasDate = date >= m_date->minimumDateTime() && date <= m_date->maximumDateTime();
    const QSignalBlocker dateBlocker(m_date);
    const QSignalBlocker msBlocker(m_ms);
    m_date->setDateTime(hasDate ? date : QDateTime::currentDateTimeUtc());
    m_ms->setText(QString::number(m_last));
    showMode(!ms                                       ? Mode::Now
             : hasDate && mode() != Mode::Milliseconds ? Mode::Date
                                                       : Mode::Milliseconds);
    emit changed();
}

void TimestampEdit::onModeChosen()
{
    const Mode chosen = mode();
    if (chosen == Mode::Now) {
        showMode(chosen);
        emit changed();
        return;
    }
    if (m_last == 0)
        m_last = QDateTime::currentMSecsSinceEpoch();
    setTimestampMs(m_last); // what no date can show stays in milliseconds
}

} // namespace topicscope::ui
