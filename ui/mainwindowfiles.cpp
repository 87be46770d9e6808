// Records out into files and back in.

#include "ui/dialogs/exportdialog.h"
#include "ui/dialogs/publishfiledialog.h"
#include "ui/dialogs/recordfiles.h"
#include "ui/errortext.h"
#include "ui/mainwindow.h"
#include "ui/openconnections.h"
#include "ui/panels/recordpanel.h"
#include "ui/panels/searchpanel.h"
#include "ui/recordtabs.h"

#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QStandardPaths>

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

PublishFileDialog *MainWindow::showPublishFileDialog()
{
    QList<PublishPlace> places;
    qsizetype current = 0;
    for (const ConnectionId id : m_connections->ids()) {
        const SessionHandle *session = m_connections->session(id);
        if (session->config().readOnly || !session->capabilities().publish)
            continue;
        if (id == m_current)
            current = places.size();
        places.append(
            {session->config(), session->capabilities(), m_connections->model()->topics(id)});
    }
    if (places.isEmpty()) {
        showNotice(tr("No connection is open that can be published to."));
        return nullptr;
    }
    auto *dialog = new PublishFileDialog(m_connections->factory(), places, current, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PublishFileDialog::published, m_connections, &OpenConnections::refresh);
    if (const RecordPanel *panel = m_tabs->current())
        dialog->setTopic(panel->topic());
    dialog->show();
    return dialog;
}

void MainWindow::redrive(const RecordPanel *panel)
{
    const ExportSubject subject = panel->exportSubject();
    const QDir folder(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
                      u"/redrive"_s);
    folder.mkpath(u"."_s);
    transfer::ExportRequest request;
    request.choice.chosen = subject.selected;
    request.options.limits.isolation = subject.isolation;
    request.path = folder.filePath(
        QDateTime::currentDateTimeUtc().toString(u"yyyyMMdd-HHmmss-zzz"_s) + u".ndjson"_s);
    auto *run = new transfer::ExportHandle(m_connections->factory(), subject.config, request, this);
    connect(run, &transfer::ExportHandle::finished, this,
            [this, run](const transfer::ExportSummary &summary) {
                run->deleteLater();
                if (!summary.finished) {
                    showNotice(tr("The records could not be read. ") +
                               errorText(*summary.error).full());
                } else if (PublishFileDialog *dialog = showPublishFileDialog()) {
                    dialog->setExport(summary.path);
                }
            });
}

void MainWindow::exportHits()
{
    if (m_search->hasHits())
        showExportDialog(m_search->exportSubject());
}

void MainWindow::showExportDialog(const ExportSubject &subject)
{
    auto *dialog = new ExportDialog(m_connections->factory(), subject, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::openRequested, this, &MainWindow::openRecordFile);
    dialog->show(); // one can go on looking while it runs
}

} // namespace topicscope::ui
