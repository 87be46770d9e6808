// How a RecordPanel reads: formats of keys and values, and the isolation level.

#include "ui/panels/recordbar.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/views/recordtableview.h"

#include <QActionGroup>
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
        auto *group = new QActionGroup(menu);
        const auto offer = [this, menu, group, part](const QString &name,
                                                     const PayloadCodec *format) {
            QAction *action = menu->addAction(name);
            action->setCheckable(true);
            group->addAction(action);
            connect(action, &QAction::triggered, q,
                    [this, part, format] { emit q->formatChosen(part, format); });
            connect(menu, &QMenu::aboutToShow, action, [this, action, part, format] {
                const RecordFormats &used = model.formats();
                action->setChecked((part == PayloadPart::Key ? used.key : used.value).get() ==
                                   format);
            });
        };
        offer(tr("As it seems to be"), nullptr);
        menu->addSeparator();
        for (const PayloadCodec *format : PayloadCodec::all())
            offer(format->title(), format);
        view->addAction(menu->menuAction());
        return menu->menuAction();
    };
    addMenu(tr("Show &values as"), PayloadPart::Value);
    QAction *keys = addMenu(tr("Show &keys as"), PayloadPart::Key);
    keys->setVisible(false);
    connect(&session, &SessionHandle::capabilitiesKnown, keys,
            [keys](const Capabilities &known) { keys->setVisible(known.keys); });
}

} // namespace topicscope::ui
