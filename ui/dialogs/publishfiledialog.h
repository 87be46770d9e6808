#pragma once

#include "core/session/topicinfo.h"
#include "core/transfer/publishhandle.h"

#include <QDialog>
#include <QTimer>

#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace topicscope::ui
{

class CsvColumnsForm;
class ElidedLabel;
class OutcomeLabel;
class PlannedRows;

/// A connection that can be published to.
struct PublishPlace {
    SessionConfig config;
    Capabilities capabilities;
    TopicList topics;
};

/// Publishes the records of a file. The first of them are shown as they would be published while
/// one chooses; then a check, which sends nothing, says what would become of each; then, with the
/// same settings, each is sent once. A run that was stopped goes on with its file of outcomes.
/// Thread: GUI; nothing here waits.
class PublishFileDialog final : public QDialog
{
    Q_OBJECT
public:
    /// @param places  not empty  @param current  into places
    PublishFileDialog(SessionFactory factory, QList<PublishPlace> places, qsizetype current,
                      QWidget *parent = nullptr);
    ~PublishFileDialog() override;
    Q_DISABLE_COPY_MOVE(PublishFileDialog)

    /// An export, to be published to the partitions it is from, in a topic to be chosen.
    void setExport(const QString &path);
    void setTopic(const QString &topic);

    /// While it runs: stops it, and stays to tell what became of it.
    void reject() override;

signals:
    /// Something was, or may have been.
    void published();

private:
    void nameFields();
    void buildForm();
    void connectInputs();
    void chooseFile();
    void onPathChanged(const QString &path);
    void onFormatChanged();
    void onPlaceChanged();
    void onTopicChanged();
    void onEdited();
    const PublishPlace &place() const;
    TopicInfo topic() const; ///< as far as it is known
    transfer::SourceFormat format() const;
    transfer::PublishPlan plan() const;
    transfer::PublishFileRequest request() const;
    void look();
    void check();
    void publish();
    void start(const transfer::PublishFileRequest &request);
    void stop();
    void onLooked(const transfer::PublishSummary &summary);
    void onProgressed(const transfer::PublishProgress &now);
    void onFinished(const transfer::PublishSummary &summary);
    QString outcome(const transfer::PublishSummary &summary) const;
    void updateButtons();

    SessionFactory m_factory;
    QList<PublishPlace> m_places;
    std::unique_ptr<transfer::PublishHandle> m_look;
    std::unique_ptr<transfer::PublishHandle> m_run;
    transfer::PublishFileRequest m_request;                ///< of what runs, or ran last
    std::optional<transfer::PublishFileRequest> m_checked; ///< what is entered now
    bool m_resumes = false;                                ///< there is a file of outcomes
    qint64 m_records = 0;                                  ///< as checked
    QTimer m_lookSoon;
    QTimer m_silence;       ///< since the last progress
    QString m_progress;     ///< as it was told last
    qsizetype m_looked = 0; ///< records shown

    QWidget *m_fields; ///< all that can be chosen
    QFormLayout *m_form;
    QLineEdit *m_path;
    QPushButton *m_browse;
    QComboBox *m_format;
    CsvColumnsForm *m_columns;
    QComboBox *m_place;
    QComboBox *m_topic;
    QComboBox *m_partition;
    QComboBox *m_partitioner;
    QComboBox *m_ack;
    ElidedLabel *m_promise;
    QComboBox *m_compression;
    QSpinBox *m_rate;
    QCheckBox *m_keepTimes;
    QCheckBox *m_drop;
    QLineEdit *m_outcomes;
    PlannedRows *m_rows;
    OutcomeLabel *m_status;
    QPushButton *m_check;
    QPushButton *m_publish;
    QPushButton *m_close;
};

} // namespace topicscope::ui
