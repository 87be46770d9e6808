#include "ui/dialogs/shortcutsdialog.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("ShortcutsDialog", text);
}

QString plain(QString text)
{
    return text.remove(u'&').remove(u'…');
}

void addActions(QTreeWidgetItem *group, const QList<QAction *> &actions)
{
    for (const QAction *action : actions) {
        if (action->menu())
            addActions(new QTreeWidgetItem(group, {plain(action->text())}),
                       action->menu()->actions());
        else if (!action->isSeparator())
            new QTreeWidgetItem(
                group, {plain(action->text()),
                        QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText)});
    }
}

/// Keys that belong to a panel and are in no menu.
void addPanelKeys(QTreeWidgetItem *group)
{
    const std::pair<QString, QString> keys[] = {
        {tr("Open the menus"), u"Alt and the underlined letter, F10"_s},
        {tr("Open the selected topic or partition"), u"Enter"_s},
        {tr("Expand or collapse a row of the tree"), u"Right, Left"_s},
        {tr("Menu of the selected row"), u"Menu, Shift+F10"_s},
        {tr("Copy what is selected"), u"Ctrl+C"_s},
        {tr("Copy the value as hex"), u"Ctrl+Shift+C"_s},
        {tr("Copy the row as JSON"), u"Ctrl+Alt+C"_s},
        {tr("Search in the inspector's text"), u"Ctrl+F"_s},
        {tr("Next or previous difference of two records"), u"F8, Shift+F8"_s},
        {tr("Add or remove a header"), u"Insert, Delete"_s},
        {tr("Move a header up or down"), u"Alt+Up, Alt+Down"_s},
        {tr("Publish the composed record"), u"Ctrl+Enter"_s},
        {tr("Next or previous field"), u"Tab, Shift+Tab"_s},
    };
    for (const auto &[what, key] : keys)
        new QTreeWidgetItem(group, {what, key});
}

} // namespace

void showShortcutsDialog(const QMenuBar *menuBar, QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(u"shortcutsDialog"_s);
    dialog->setWindowTitle(tr("Keyboard Shortcuts"));

    auto *list = new QTreeWidget;
    list->setObjectName(u"shortcutList"_s);
    list->setAccessibleName(tr("Actions and their shortcuts"));
    list->setHeaderLabels({tr("Action"), tr("Keys")});
    list->setRootIsDecorated(false);
    list->setFocusPolicy(Qt::StrongFocus);
    const auto addGroup = [list](const QString &title) {
        auto *group = new QTreeWidgetItem(list, {title});
        QFont font = list->font();
        font.setBold(true);
        group->setFont(0, font);
        group->setFirstColumnSpanned(true);
        return group;
    };
    for (const QAction *menu : menuBar->actions()) {
        if (menu->menu())
            addActions(addGroup(plain(menu->text())), menu->menu()->actions());
    }
    addPanelKeys(addGroup(tr("In the panels")));
    list->expandAll();
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto *layout = new QVBoxLayout(dialog);
    layout->addWidget(list);
    layout->addWidget(buttons);
    dialog->resize(560, 640);
    dialog->open();
}

} // namespace topicscope::ui
