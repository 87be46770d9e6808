// How a RecordPanel reads: formats of keys and values, and the isolation level.

#include "ui/panels/formatmenu.h"
#include "ui/panels/recordbar.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/views/banner.h"
#include "ui/views/recordtableview.h"

#include <QMenu>

namespace topicscope::ui
{

void RecordPanel::setFormats(const RecordFormats &formats)
{
    d->model.setFormats(formats);
}

const RecordFormats &RecordPanel::formats() const
{
    return d->model.formats();
}

void RecordPanel::setFormatProblem(const QString &problem)
{
    if (problem == d->formatProblem)
        return; // also when its banner was closed
    d->formatProblem = problem;
    if (problem.isEmpty())
        d->formatBanner->hide();
    else
        d->formatBanner->say(Tone::Warning, problem, tr("Try Again"));
}

void RecordPanel::chooseFormat(PayloadPart part, const QString &name)
{
    emit formatChosen(part, name);
}

Isolation RecordPanel::isolation() const
{
    return d->isolation;
}

void RecordPanel::setIsolation(Isolation isolation)
{
    if (isolation == d->isolation)
        return;
    d->isolation = isolation;
    d->loader.setIsolation(isolation);
    d->scan.setIsolation(isolation);
    d->openMap();
    d->bar->setCommittedOnly(capabilities().transactions, isolation == Isolation::ReadCommitted);
    if (!d->topic.name.isEmpty())
        d->showAgain();
}

/// Loads anew around the current row, or from the end; following goes on.
void RecordPanel::Private::showAgain()
{
    const bool wasFollowing = following;
    const RowRef row = currentRow();
    if (row.block && !view->isAtBottom()) {
        const PartitionId where = row.block->partition;
        const Offset offset = row.offset();
        wanted = {where, LogPlace{LogPlace::Kind::Offset, offset.value}};
        prepareShow();
        loader.showAt([where, offset] { return std::pair(where, offset); });
    } else {
        goTo(LogPlace::end());
    }
    if (wasFollowing)
        setFollowing(true);
}

void RecordPanel::Private::addFormatMenus()
{
    const auto addMenu = [this](const QString &title, PayloadPart part) {
        auto *menu = new QMenu(title, view);
        auto *formats = new FormatMenu(menu, [this, part] {
            return FormatMenu::State{model.formats().of(part), model.formats().hasRegistry};
        });
        connect(formats, &FormatMenu::chosen, q,
                [this, part](const QString &name) { q->chooseFormat(part, name); });
        view->addAction(menu->menuAction());
        return menu->menuAction();
    };
    addMenu(tr("Show &values as"), PayloadPart::Value);
    QAction *keys = addMenu(tr("Show ke&ys as"), PayloadPart::Key);
    const auto showKeys = [this, keys](const Capabilities &known) {
        keys->setVisible(known.keys);
        previousAction->setVisible(known.keys);
    };
    showKeys({});
    connect(&session, &SessionHandle::capabilitiesKnown, keys, showKeys);
}

} // namespace topicscope::ui
