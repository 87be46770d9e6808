#pragma once

#include "core/transfer/exporthandle.h"
#include "ui/backgroundrun.h"
#include "ui/models/exportsubject.h"

#include <QDialog>

#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace topicscope::ui
{

class FilterEdit;
class OutcomeLabel;

/// Exports what a tab or a search offers into a file, in the background: what of it, in which
/// format, which records, where to. Shows how far it is, can be stopped, and says at the end what
/// is in the file and whether the count is right.
///
/// It is about the tab or the hits as they were when this was opened; what is read are the records
/// as they are then. Hits that are gone meanwhile are told. Thread: GUI; nothing here waits.
class ExportDialog final : public QDialog
{
    Q_OBJECT
public:
    ExportDialog(SessionFactory factory, ExportSubject subject, QWidget *parent = nullptr);
    ~ExportDialog() override;
    Q_DISABLE_COPY_MOVE(ExportDialog)

    /// While it runs: stops it, and stays to tell what became of it.
    void reject() override;

signals:
    /// The file that was written is to be opened as a source.
    void openRequested(const QString &path);

private:
    enum class What { Selected, Shown, Tab, Topic, Range };
    /// What is where an export is to go.
    struct Target {
        bool hasFolder = false;
        QStringList files; ///< that would be replaced
        QString other;     ///< the path of what is no file
    };

    void buildForm();
    void fillWhat();
    void fillWithHits();
    void fillWithRows();
    What what() const;
    transfer::ExportFormat format() const;
    /// nullopt where something is wrong or missing; then `m_wrong` says what. Looks at no file.
    std::optional<transfer::ExportRequest> request();
    static Target lookAt(const QString &path);
    /// Off the GUI thread, one at a time: what is on the network may not answer at all.
    void look(const QString &path);
    void onSeen(const transfer::ExportRequest &request, const Target &target);
    std::optional<search::SearchScope> scope();
    QString suggestedPath() const;
    void chooseFile();
    void onFormatChanged();
    void onEdited();
    void toggle();
    void start(const transfer::ExportRequest &request);
    void onProgress(const transfer::ExportProgress &progress);
    void onFinished(const transfer::ExportSummary &summary);
    void showRunning(bool running);
    QString outcome(const transfer::ExportSummary &summary) const;

    SessionFactory m_factory;
    ExportSubject m_subject;
    std::unique_ptr<transfer::ExportHandle> m_run;
    BackgroundRun<Target> m_looking;
    bool m_startsThen = false; ///< as soon as that has seen nothing in the way
    QString m_wrong;
    QString m_written; ///< a file that can be opened again
    bool m_isPathOurs = true;

    QFormLayout *m_form;
    QComboBox *m_what;
    QWidget *m_range;
    QLineEdit *m_from;
    QLineEdit *m_to;
    FilterEdit *m_filter;
    QComboBox *m_format;
    QLabel *m_formatHint;
    QLineEdit *m_path;
    QPushButton *m_browse;
    QCheckBox *m_replace;
    QProgressBar *m_progress;
    OutcomeLabel *m_status;
    QPushButton *m_export;
    QPushButton *m_open;
    QPushButton *m_close;
};

} // namespace topicscope::ui
