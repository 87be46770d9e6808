#include "ui/recordtemplates.h"

#include "ui/dialogs/templatesdialog.h"
#include "ui/errortext.h"
#include "ui/panels/composepanel.h"

#include <QInputDialog>
#include <QMenu>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

RecordTemplates::RecordTemplates(const QString &file, ComposePanel *panel)
    : QObject(panel)
    , m_store(file)
    , m_panel(panel)
{
    QMenu *menu = panel->templatesMenu();
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillMenu(menu); });
}

void RecordTemplates::fillMenu(QMenu *menu)
{
    menu->clear();
    QAction *save = menu->addAction(tr("&Save as Template…"), this, &RecordTemplates::askForName);
    save->setEnabled(m_panel->content().has_value());
    const QStringList names = m_store.names();
    QAction *manage = menu->addAction(tr("&Manage Templates…"), this, &RecordTemplates::manage);
    manage->setEnabled(!names.isEmpty());
    menu->addSeparator();
    for (const QString &name : names) {
        QString shown = name;
        menu->addAction(shown.replace(u'&', u"&&"_s), this, [this, name] { use(name); });
    }
}

void RecordTemplates::askForName()
{
    auto *dialog = new QInputDialog(m_panel);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save as Template"));
    dialog->setLabelText(
        tr("Name of the template. It is kept in clear text; one of this name is replaced."));
    connect(dialog, &QInputDialog::textValueSelected, this, &RecordTemplates::save);
    dialog->open();
}

void RecordTemplates::save(const QString &name)
{
    const auto content = m_panel->content();
    if (!content)
        return;
    const auto saved = m_store.save(name, *content);
    if (saved)
        m_panel->showMessage(tr("Kept as template “%1”.").arg(name.trimmed()), Tone::Good);
    else
        m_panel->showMessage(errorText(saved.error()).full(), Tone::Danger);
}

void RecordTemplates::use(const QString &name)
{
    const auto content = m_store.content(name);
    if (content)
        m_panel->setContent(*content);
    else
        m_panel->showMessage(errorText(content.error()).full(), Tone::Danger);
}

void RecordTemplates::manage()
{
    auto *dialog = new TemplatesDialog(&m_store, m_panel);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &TemplatesDialog::useRequested, this, &RecordTemplates::use);
    dialog->open();
}

} // namespace topicscope::ui
