#include "ui/panels/targetrules.h"

namespace topicscope::ui
{

TargetRules::TargetRules(QObject *parent)
    : QObject(parent)
{
}

TargetRules::~TargetRules() = default;

void TargetRules::setTarget(SessionHandle *session, const QString &topic)
{
    if (session == m_session && topic == m_topic)
        return;
    if (m_session && m_asked)
        m_session->cancel(*m_asked);
    m_asked.reset();
    if (m_session != session) {
        if (m_session)
            m_session->disconnect(this);
        m_session = session;
        if (session) {
            connect(session, &SessionHandle::topicRulesRead, this, &TargetRules::onRead);
            connect(session, &SessionHandle::stateChanged, this, &TargetRules::onStateChanged);
        }
    }
    m_topic = topic;
    m_rules.reset();
    readAgain();
}

void TargetRules::readAgain()
{
    if (m_session)
        m_asked = m_session->readTopicRules(m_topic);
}

void TargetRules::onRead(RequestId id, const std::optional<TopicRules> &rules)
{
    if (m_asked != id)
        return;
    m_asked.reset();
    m_rules = rules;
    emit changed();
}

void TargetRules::onStateChanged(ConnectionState state)
{
    if (state == ConnectionState::Connected && !m_rules && !m_asked)
        readAgain();
}

} // namespace topicscope::ui
