#include "ui/dialogs/configurationimport.h"

#include "core/profiles/propertiesimport.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileDialog>
#include <QMessageBox>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kMaxBytes = 1'000'000;

QString tr(const char *text)
{
    return QCoreApplication::translate("ConfigurationImport", text);
}

void tell(QWidget *parent, const QString &text, const QString &more)
{
    auto *box =
        new QMessageBox(QMessageBox::Information, tr("Import"), text, QMessageBox::Ok, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse);
    box->setInformativeText(more);
    box->open();
}

} // namespace

void importConfiguration(QWidget *parent,
                         std::function<void(QMap<QString, QString> properties)> taken)
{
    auto *chooser = new QFileDialog(parent, tr("Import a Configuration"));
    chooser->setObjectName(u"importChooser"_s);
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    chooser->setNameFilters({tr("Configurations (*.properties *.conf *.config)"), tr("All (*)")});
    QObject::connect(chooser, &QFileDialog::fileSelected, parent,
                     [parent, taken = std::move(taken)](const QString &name) {
                         QFile file(name);
                         if (!file.open(QIODevice::ReadOnly) || file.size() > kMaxBytes) {
                             tell(parent, tr("%1 cannot be read.").arg(name), file.errorString());
                             return;
                         }
                         const ImportedProperties imported = importProperties(file.readAll());
                         taken(imported.properties);
                         if (!imported.notes.isEmpty())
                             tell(parent, tr("Not everything could be taken over."),
                                  imported.notes.join(u"\n\n"_s));
                     });
    chooser->open();
}

} // namespace topicscope::ui
