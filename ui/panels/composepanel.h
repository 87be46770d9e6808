#pragma once

#include "core/records/recordcontent.h"
#include "ui/panels/composetarget.h"
#include "ui/panels/payloadedit.h"
#include "ui/theme/icons.h"

#include <QHash>
#include <QPointer>
#include <QSet>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <optional>

class QAction;
class QComboBox;
class QLabel;
class QMenu;
class QPushButton;

namespace topicscope::ui
{

class ElidedLabel;
class HeadersEdit;
class PartitionChooser;
class TargetRules;
class TimestampEdit;

/// Remembers what a topic's keys and values are written in; nullptr: nothing in particular.
struct FormatMemory {
    std::function<const PayloadCodec *(const QString &connection, const QString &topic,
                                       PayloadPart part)>
        recall;
    std::function<void(const QString &connection, const QString &topic, PayloadPart part,
                       const PayloadCodec *format)>
        keep;
};

/// Composes one record and publishes it, showing beforehand its exact size and the partition it
/// will land in. What is composed stays in the panel, whatever the answer is; it goes only by
/// Clear or by another draft, and Undo brings it back.
///
/// It goes to the connection and the topic that are shown. Both follow what is looked at only while
/// nothing is composed: a record meant for one broker is never sent to another by a click in a
/// tree.
///
/// A record that waits for its answer cannot be published again by accident: the button comes back
/// with the answer or with the first change to the record.
class ComposePanel final : public QWidget
{
    Q_OBJECT
public:
    explicit ComposePanel(QWidget *parent = nullptr);
    ~ComposePanel() override;
    Q_DISABLE_COPY_MOVE(ComposePanel)

    /// Largest key read from a file.
    static constexpr qint64 kMaxKeyBytes = 1024LL * 1024;

    void setFormatMemory(FormatMemory memory);
    /// What is looked at: taken over as the target while nothing is composed, else offered.
    void lookAt(const ComposeTarget::Place &place);
    /// What is known of a broker's topics; the preview follows.
    void setTopics(const SessionHandle *session, const TopicList &topics);
    /// What is chosen or typed.
    QString topic() const;
    /// A record to publish again, its bytes exactly as they are; nullopt partition: by key.
    void setDraft(const RecordContent &content, const ComposeTarget::Place &place,
                  std::optional<PartitionId> partition);
    /// The same for the target that is chosen, with a partition chosen by hand left alone.
    void setContent(const RecordContent &content);
    /// What is composed; nullopt while it is not right, or in a file.
    std::optional<RecordContent> content() const;
    /// The same with all a request says. The topic is the request's.
    void setRequest(const PublishRequest &request, const ComposeTarget::Place &place);

    /// Opened by a button; filled by the window.
    QMenu *templatesMenu() const { return m_templatesMenu; }
    /// In the status line, with the time.
    void showMessage(const QString &text, Tone tone);

    /// Ctrl+Return inside the panel; enabled as the button is.
    QAction *publishAction() const { return m_publishAction; }
    void focusValue();

signals:
    /// On its way. Every submitted request is answered once, unless its session is destroyed first.
    void submitted(topicscope::SessionHandle *session, topicscope::RequestId id,
                   const topicscope::PublishRequest &request);
    void answered(topicscope::RequestId id);
    /// The broker's partitions are not what setTopics() said: list them again.
    void topicsOutdated();

protected:
    void showEvent(QShowEvent *event) override;

private:
    struct Obstacle {
        QString text;
        std::optional<IconName> icon;
    };
    struct Draft {
        ComposeTarget::Place target;
        PayloadEdit::State key;
        PayloadEdit::State value;
        std::optional<PartitionId> byHand;
        AckPolicy ack = AckPolicy::Written;
        HeaderList headers;
        std::optional<qint64> timestampMs;
        std::optional<PartitionAlgorithm> partitioner; ///< nullopt: the engine's own
        Compression compression = Compression::None;
    };
    struct Reading {
        PublishRequest request;
        QPointer<SessionHandle> session;
        quint64 revision = 0;
        bool readsKey = false;
        bool readsValue = false;
    };

    void buildLayout();
    void connectInputs();
    void fillChoices();
    void recallFormats();
    void setContexts();
    void keepFormat(PayloadPart part, const PayloadCodec *format);
    void onHeadersChanged();
    void onSessionChanged();
    void onEdited();
    bool isEmpty() const;
    void refresh();
    void refreshPreview();
    void refreshStatus(bool inFlight, const std::optional<Obstacle> &reason);
    void wantRules();
    void refreshNote();
    void refreshSize();
    qint64 recordBytes() const;
    std::optional<Obstacle> obstacle() const;
    std::optional<Obstacle> sessionObstacle() const;
    std::optional<Obstacle> targetObstacle() const;
    std::optional<Obstacle> contentObstacle() const;

    SessionHandle *session() const { return m_target->session(); }
    std::optional<AckPolicy> ackPolicy() const;
    void setAckPolicy(AckPolicy policy);
    PartitionAlgorithm partitioner() const;
    void setPartitioner(std::optional<PartitionAlgorithm> algorithm);
    Compression compression() const;
    void setCompression(Compression compression);
    qint64 maxValueBytes() const;
    /// The first is what is published with.
    QList<PartitionAlgorithm> partitioners() const;

    void listenTo(SessionHandle *session);
    void onSessionGone(const QObject *session);
    void publish();
    void onFileRead();
    void submit(const PublishRequest &request, quint64 revision);
    /// The answer is here; false when nobody here waited for it.
    bool takeWaiting(const QObject *session, RequestId id);
    void onPublished(const QObject *session, RequestId id, const PublishResult &result);
    void onFailed(const QObject *session, RequestId id, const Error &error);
    void showNote(const QString &text);

    Draft draft() const;
    void setDraftState(const Draft &draft);
    void showContent(const RecordContent &content);
    void keepForUndo();
    void clear();
    void undo();

    std::optional<Draft> m_undo;
    quint64 m_revision = 1; ///< of what is composed; every change makes another one
    /// Of requests on their way, by session (an identity) and id.
    QHash<std::pair<const QObject *, RequestId>, quint64> m_waiting;
    /// Runs after an answer, for as long as a second click may still belong to a double click.
    QTimer m_answered;
    quint64 m_answeredRevision = 0;
    QSet<const QObject *> m_heard; ///< sessions listened to; identities
    std::optional<Reading> m_reading;
    QFutureWatcher<Result<PayloadFile>> m_keyRead;
    QFutureWatcher<Result<PayloadFile>> m_valueRead;
    // Kept while there is no session to offer them.
    std::optional<AckPolicy> m_ackChoice;
    std::optional<PartitionAlgorithm> m_partitionerChoice; ///< of one broker, as the compression
    Compression m_compressionChoice = Compression::None;
    QString m_choicesFor; ///< address of that broker
    FormatMemory m_formats;
    QString m_message;
    Tone m_messageTone = Tone::Normal;
    bool m_messageIsNote = false; ///< about an edit, gone with the next one

    ComposeTarget *m_target;
    TargetRules *m_rules;
    QMenu *m_templatesMenu;
    PayloadEdit *m_key;
    PayloadEdit *m_value;
    PartitionChooser *m_partition;
    QComboBox *m_partitioner;
    QComboBox *m_ack;
    QComboBox *m_compression;
    QLabel *m_partitionerLabel;
    QLabel *m_ackLabel;
    QLabel *m_headersLabel;
    HeadersEdit *m_headers;
    QLabel *m_timeLabel;
    TimestampEdit *m_time;
    ElidedLabel *m_promise;
    ElidedLabel *m_preview;
    ElidedLabel *m_note;
    ElidedLabel *m_size;
    ElidedLabel *m_status;
    QPushButton *m_undoButton;
    QPushButton *m_clearButton;
    QPushButton *m_publishButton;
    QAction *m_publishAction;
};

} // namespace topicscope::ui
