#pragma once

#include "core/session/sessionhandle.h"

#include <QObject>
#include <QPointer>

#include <optional>

namespace topicscope::ui
{

/// What the topic composed for demands of a record: asked for once when it becomes the target, and
/// again when a connection that could not tell is back.
/// Thread: GUI.
class TargetRules final : public QObject
{
    Q_OBJECT
public:
    explicit TargetRules(QObject *parent = nullptr);
    ~TargetRules() override;
    Q_DISABLE_COPY_MOVE(TargetRules)

    /// @param session  with Capabilities::topicRules; null: no target
    void setTarget(SessionHandle *session, const QString &topic);
    /// nullopt: not known (yet); nothing is to be claimed.
    const std::optional<TopicRules> &rules() const { return m_rules; }
    /// What is known stays until the answer comes.
    void readAgain();

signals:
    void changed();

private:
    void onRead(RequestId id, const std::optional<TopicRules> &rules);
    void onStateChanged(ConnectionState state);

    QPointer<SessionHandle> m_session;
    QString m_topic;
    std::optional<RequestId> m_asked;
    std::optional<TopicRules> m_rules;
};

} // namespace topicscope::ui
