#include "ui/panels/recordbar.h"

#include "core/search/filter.h"
#include "ui/theme/icons.h"
#include "ui/views/floatinglabel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kFilterDelayMs = 150;

} // namespace

RecordBar::RecordBar(QWidget *parent)
    : QWidget(parent)
    , m_goTo(new QLineEdit(this))
    , m_preview(new FloatingLabel(parent ? parent : this)) // below the bar
    , m_follow(new QToolButton(this))
    , m_pause(new QToolButton(this))
    , m_committed(new QToolButton(this))
    , m_filter(new QLineEdit(this))
    , m_filterDelay(new QTimer(this))
{
    const auto button = [this](IconName name, const QString &tip, auto requested) {
        auto *made = new QToolButton(this);
        made->setIcon(icon(name));
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        made->setAutoRaise(true);
        connect(made, &QToolButton::clicked, this, requested);
        return made;
    };
    m_goTo->setObjectName(u"goToEdit"_s);
    setTakesTimes(false);
    m_goTo->setMaximumWidth(150);
    m_goTo->installEventFilter(this);
    connect(m_goTo, &QLineEdit::textEdited, this, &RecordBar::goToEdited);
    connect(m_goTo, &QLineEdit::returnPressed, this, [this] {
        setPreview({});
        emit goToRequested(m_goTo->text());
    });
    m_preview->setObjectName(u"goToPreview"_s);

    auto *first = button(IconName::GoFirst, tr("First record"), &RecordBar::firstRequested);
    auto *last = button(IconName::GoLast, tr("Last record"), &RecordBar::lastRequested);
    auto *previous =
        button(IconName::Flag, tr("Previous flagged record"), &RecordBar::previousFlaggedRequested);
    previous->setArrowType(Qt::UpArrow);
    auto *next =
        button(IconName::Flag, tr("Next flagged record"), &RecordBar::nextFlaggedRequested);
    next->setArrowType(Qt::DownArrow);
    m_flagged = button(IconName::Flag, tr("Next flagged record"), &RecordBar::nextFlaggedRequested);
    m_flagged->setObjectName(u"nextFlaggedButton"_s);
    m_flagged->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);

    m_follow->setObjectName(u"followButton"_s);
    m_follow->setIcon(icon(IconName::Follow));
    m_follow->setText(tr("Follow"));
    m_follow->setToolTip(tr("Show new records as they arrive"));
    m_follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_follow->setAutoRaise(true);
    m_follow->setCheckable(true);
    connect(m_follow, &QToolButton::clicked, this, &RecordBar::followToggled);
    m_pause->setObjectName(u"pauseButton"_s);
    m_pause->setIcon(icon(IconName::Pause));
    m_pause->setText(tr("Pause"));
    m_pause->setToolTip(tr("Hold new records back; the broker keeps them and nothing is lost"));
    m_pause->setAccessibleName(tr("Pause following"));
    m_pause->setAutoRaise(true);
    m_pause->setCheckable(true);
    connect(m_pause, &QToolButton::clicked, this, &RecordBar::pauseToggled);

    m_committed->setObjectName(u"committedButton"_s);
    m_committed->setText(tr("Committed"));
    m_committed->setToolTip(
        tr("On: only committed records (read committed). Records of open and aborted transactions "
           "are left out, and reading ends at the last stable offset.\nOff: all that is in the "
           "log (read uncommitted), whatever became of its transaction."));
    m_committed->setAccessibleName(tr("Only committed records"));
    m_committed->setAutoRaise(true);
    m_committed->setCheckable(true);
    connect(m_committed, &QToolButton::clicked, this, &RecordBar::committedOnlyToggled);

    m_filter->setObjectName(u"filterEdit"_s);
    m_filter->setPlaceholderText(tr("Filter the rows loaded"));
    m_filter->setMaxLength(int(search::kMaxFilterChars));
    m_filter->setToolTip(
        tr("Text in key, value or headers, or an expression: key == \"a\", json.id == 42, "
           "size > 1 MiB, not flag:crc. Shows those of the rows loaded that match; rows that "
           "cannot be looked into stay."));
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setClearButtonEnabled(true);
    m_filterDelay->setSingleShot(true);
    m_filterDelay->setInterval(kFilterDelayMs);
    connect(m_filter, &QLineEdit::textChanged, m_filterDelay, qOverload<>(&QTimer::start));
    connect(m_filterDelay, &QTimer::timeout, this,
            [this] { emit filterChanged(m_filter->text()); });

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(first);
    layout->addWidget(m_goTo);
    layout->addWidget(last);
    layout->addSpacing(8);
    layout->addWidget(m_flagged);
    layout->addWidget(previous);
    layout->addWidget(next);
    layout->addSpacing(8);
    layout->addWidget(m_follow);
    layout->addWidget(m_pause);
    layout->addWidget(m_committed);
    layout->addSpacing(8);
    layout->addWidget(m_filter, 1);
    setFollowing(false, false);
    setFlaggedCount(0);
    setCommittedOnly(false, false);
}

void RecordBar::setCommittedOnly(bool offered, bool committedOnly)
{
    m_committed->setVisible(offered);
    m_committed->setChecked(committedOnly);
}

void RecordBar::setFollowing(bool following, bool paused)
{
    m_follow->setChecked(following);
    m_pause->setChecked(paused);
    m_pause->setEnabled(following);
}

void RecordBar::setTakesTimes(bool takes)
{
    const QString name = takes ? tr("Go to offset or time") : tr("Go to offset");
    m_goTo->setPlaceholderText(name);
    m_goTo->setAccessibleName(name);
    QString tip =
        tr("An offset, “start”, “end”, “-100” for the last hundred, or from:to as “10:20”");
    if (takes) {
        tip += u'\n' + tr("A time: “@2026-11-30 14:05”, “@14:05”, with a zone "
                          "“@2026-11-30T14:05+01:00”, or “@-1h”");
    }
    m_goTo->setToolTip(tip);
}

void RecordBar::setPreview(const QString &text)
{
    m_goTo->setAccessibleDescription(text);
    if (text.isEmpty() || !m_goTo->hasFocus())
        m_preview->hide();
    else
        m_preview->showText(
            text, m_goTo->mapTo(m_preview->parentWidget(), QPoint(0, m_goTo->height() + 2)));
}

bool RecordBar::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::FocusOut)
        setPreview({});
    return QWidget::eventFilter(watched, event);
}

void RecordBar::setFlaggedCount(int flagged)
{
    m_flagged->setText(flagged > 0 ? QString::number(flagged) : QString());
    m_flagged->setToolButtonStyle(flagged > 0 ? Qt::ToolButtonTextBesideIcon
                                              : Qt::ToolButtonIconOnly);
    m_flagged->setIcon(icon(IconName::Flag, flagged > 0 ? Tone::Warning : Tone::Normal));
    m_flagged->setToolTip(
        tr("Flagged among the rows loaded: %1. Goes to the next one.").arg(flagged));
}

void RecordBar::focusGoTo()
{
    m_goTo->setFocus(Qt::ShortcutFocusReason);
    m_goTo->selectAll();
}

void RecordBar::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

QString RecordBar::filterText() const
{
    return m_filter->text();
}

/// At once: nobody is typing.
void RecordBar::setFilterText(const QString &text)
{
    m_filter->setText(text);
    m_filterDelay->stop();
    emit filterChanged(text);
}

void RecordBar::clearFilter()
{
    m_filter->clear();
}

} // namespace topicscope::ui
