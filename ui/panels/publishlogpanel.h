#pragma once

#include "core/session/sessionhandle.h"

#include <QList>
#include <QWidget>

#include <optional>

class QAction;
class QTableView;

namespace topicscope::ui
{

class ElidedLabel;
class PublishHistoryModel;
struct PublishEntry;

/// What was published by hand and what came of it; from here to the record, or back to the
/// composer. An entry whose outcome is not known can be looked for in the log.
class PublishLogPanel final : public QWidget
{
    Q_OBJECT
public:
    explicit PublishLogPanel(QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(PublishLogPanel)

    /// Takes the answers of a session until it is destroyed; what waits for it then becomes
    /// unknown. Not owned.
    void addSession(SessionHandle *session);
    PublishHistoryModel *history() const { return m_history; }

    /// To be connected with ComposePanel::submitted.
    void addSubmitted(SessionHandle *session, RequestId id, const PublishRequest &request);

    /// Widths and order of the columns, opaque.
    QByteArray saveColumns() const;
    void restoreColumns(const QByteArray &state);

signals:
    void goToRequested(const topicscope::SessionHandle *session,
                       const topicscope::TopicPartition &partition, topicscope::Offset offset);
    /// @param session  null when the connection is closed
    void editAgainRequested(topicscope::SessionHandle *session,
                            const topicscope::SessionConfig &config,
                            const topicscope::PublishRequest &request);

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
    /// The session of an entry, or another one to the same broker; null: none is open.
    SessionHandle *sessionOf(const PublishEntry &entry) const;

    QList<SessionHandle *> m_sessions;
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
