#pragma once

#include "core/session/sessionhandle.h"

#include <QPointer>
#include <QWidget>

class QComboBox;
class QPushButton;

namespace topicscope::ui
{

class ElidedLabel;

/// Where a composed record goes: a connection and one of its topics, both shown. It stays what it
/// is whatever is looked at elsewhere; that is only offered, by a button "Use production / orders".
class ComposeTarget final : public QWidget
{
    Q_OBJECT
public:
    struct Place {
        QPointer<SessionHandle> session; ///< not owned; null: none, or closed meanwhile
        SessionConfig config;            ///< of the session, also when that is gone
        TopicList topics;                ///< what is known of the broker's topics
        QString topic;

        bool isSameBroker(const Place &other) const;
    };

    explicit ComposeTarget(QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(ComposeTarget)

    Place place() const;
    void setPlace(const Place &place);
    SessionHandle *session() const { return m_place.session; }
    const SessionConfig &config() const { return m_place.config; }
    QString topic() const;
    const TopicInfo *topicInfo() const; ///< null: the broker has no such topic

    /// What is looked at; an empty topic: a connection alone. A target whose connection was closed
    /// goes on with the next one to the same broker.
    void offer(const Place &place);
    void takeOffer();
    /// Of the target's session, of the offered one, or of neither.
    void setTopics(const SessionHandle *session, const TopicList &topics);

signals:
    void sessionChanged();
    void topicChanged();
    /// What is known of the session's topics.
    void topicsChanged();

private:
    void buildLayout();
    void setSession(SessionHandle *session, const SessionConfig &config);
    void fillTopics();
    void refresh();
    bool isOfferDifferent() const;
    QString offerText() const;

    Place m_place; ///< but the topic, which is in the box
    Place m_offer;
    ElidedLabel *m_connection;
    QComboBox *m_topic;
    QPushButton *m_use;
};

} // namespace topicscope::ui
