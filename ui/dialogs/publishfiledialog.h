#pragma once

#include "core/session/topicinfo.h"
#include "core/transfer/publishhandle.h"

#include <QDialog>

#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTreeWidget;

namespace topicscope::ui
{

class OutcomeLabel;

/// A connection that can be published to.
struct PublishPlace {
    SessionConfig config;
    Capabilities capabilities;
    TopicList topics;
};

/// Publishes the records of a file: first a check that sends nothing and shows what would become of
/// each record, then, with the same settings, each of them once. A run that was stopped goes on
/// with its file of outcomes. Thread: GUI; nothing here waits.
class PublishFileDialog final : public QDialog
{
    Q_OBJECT
public:
    /// @param places  not empty  @param current  into places
    PublishFileDialog(SessionFactory factory, QList<PublishPlace> places, qsizetype current,
                      QWidget *parent = nullptr);
    ~PublishFileDialog() override;
    Q_DISABLE_COPY_MOVE(PublishFileDialog)

    /// An export, to be published to the partitions it is from.
    void setExport(const QString &path);
    void setTopic(const QString &topic);

    /// While it runs: stops it, and stays to tell what became of it.
    void reject() override;

private:
    void buildForm();
    void chooseFile();
    void onPlaceChanged();
    void onFormatChanged();
    void onEdited();
    const PublishPlace &place() const;
    transfer::SourceFormat format() const;
    transfer::PublishFileRequest request() const;
    void check();
    void publish();
    void start(bool isDryRun);
    void stop();
    void showColumns(const QStringList &names);
    void showRows(const QList<transfer::PlannedRow> &rows);
    void onFinished(const transfer::PublishSummary &summary);
    QString outcome(const transfer::PublishSummary &summary) const;
    void updateButtons();

    SessionFactory m_factory;
    QList<PublishPlace> m_places;
    std::unique_ptr<transfer::PublishHandle> m_run;
    bool m_isDryRun = false;  ///< what runs, or ran last
    bool m_isChecked = false; ///< with what is entered now
    bool m_resumes = false;   ///< there is a file of outcomes

    QFormLayout *m_form;
    QLineEdit *m_path;
    QPushButton *m_browse;
    QComboBox *m_format;
    QWidget *m_columns;
    QComboBox *m_key;
    QComboBox *m_value;
    QComboBox *m_place;
    QComboBox *m_topic;
    QComboBox *m_partition;
    QComboBox *m_ack;
    QSpinBox *m_rate;
    QCheckBox *m_keepTimes;
    QCheckBox *m_drop;
    QTreeWidget *m_rows;
    OutcomeLabel *m_status;
    QPushButton *m_check;
    QPushButton *m_publish;
    QPushButton *m_close;
};

} // namespace topicscope::ui
