#pragma once

#include "core/session/sessionhandle.h"

#include <QPointer>
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

    /// Whose answers to listen to; null: none. What waits for an answer of the session before
    /// becomes unknown. The handle is not owned and may go at any time.
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
    void onSessionGone();

    QPointer<SessionHandle> m_session;
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
