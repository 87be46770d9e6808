#pragma once

#include "core/session/sessionhandle.h"

#include <QPointer>
#include <QSet>
#include <QWidget>

#include <optional>

class QAction;
class QTableView;

namespace topicscope::ui
{

class ElidedLabel;
class PublishHistoryModel;

/// What was published by hand and what came of it; from here to the record, or back to the
/// composer. An entry whose outcome is not known can be looked for in the log.
class PublishLogPanel final : public QWidget
{
    Q_OBJECT
public:
    explicit PublishLogPanel(QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(PublishLogPanel)

    /// The session that is looked at; null: none. Answers of those before are still taken: only
    /// when a session is destroyed, what waits for it becomes unknown. Not owned.
    void setSession(SessionHandle *session);
    PublishHistoryModel *history() const { return m_history; }

    /// To be connected with ComposePanel::submitted.
    void addSubmitted(RequestId id, const PublishRequest &request);

signals:
    void goToRequested(const topicscope::TopicPartition &partition, topicscope::Offset offset);
    void editAgainRequested(const topicscope::PublishRequest &request);

private:
    QAction *addRowAction(const QString &name, const QString &text, const QString &toolTip);
    void buildLayout();
    std::optional<int> currentRow() const;
    void refresh();
    void goTo();
    void lookFor();
    void editAgain();
    void stopWaiting();
    void copyLine();
    void onActivated();
    void listenTo(SessionHandle *session);

    QPointer<SessionHandle> m_session;
    QSet<const QObject *> m_heard; ///< sessions listened to; identities
    PublishHistoryModel *m_history;
    QTableView *m_table;
    ElidedLabel *m_detail;
    QAction *m_goTo;
    QAction *m_lookFor;
    QAction *m_editAgain;
    QAction *m_stop;
    QAction *m_copy;
    QAction *m_clear;
};

} // namespace topicscope::ui
