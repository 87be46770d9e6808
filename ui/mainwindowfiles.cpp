// Records out into files and back in.

#include "ui/dialogs/exportdialog.h"
#include "ui/dialogs/recordfiles.h"
#include "ui/mainwindow.h"
#include "ui/openconnections.h"
#include "ui/panels/recordpanel.h"

#include <QFileDialog>
#include <QFileInfo>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

void MainWindow::chooseRecordFile()
{
    auto *chooser = new QFileDialog(this, tr("Open Record File"));
    chooser->setObjectName(u"recordFileChooser"_s);
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    chooser->setNameFilters(recordFileFilters());
    connect(chooser, &QFileDialog::fileSelected, this, &MainWindow::openRecordFile);
    chooser->open();
}

void MainWindow::openRecordFile(const QString &path)
{
    SessionConfig config;
    config.setBroker(u"file:"_s + QFileInfo(path).absoluteFilePath());
    config.name = QFileInfo(path).fileName();
    config.readOnly = true;
    connectTo(config, {Place{}});
}

void MainWindow::showExportDialog(const RecordPanel *panel)
{
    auto *dialog = new ExportDialog(m_connections->factory(), panel->exportSubject(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::openRequested, this, &MainWindow::openRecordFile);
    dialog->show(); // one can go on looking while it runs
}

} // namespace topicscope::ui
