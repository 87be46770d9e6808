#include "core/session/loginrefusal.h"

namespace topicscope
{

void LoginRefusal::add(const Error &error)
{
    const std::scoped_lock lock(m_mutex);
    ++m_count;
    m_last = error;
}

void LoginRefusal::forget()
{
    const std::scoped_lock lock(m_mutex);
    m_forgotten = m_count;
}

quint64 LoginRefusal::forgotten() const
{
    const std::scoped_lock lock(m_mutex);
    return m_forgotten;
}

std::optional<Error> LoginRefusal::since(quint64 forgotten) const
{
    const std::scoped_lock lock(m_mutex);
    return m_count > forgotten ? m_last : std::nullopt;
}

} // namespace topicscope
