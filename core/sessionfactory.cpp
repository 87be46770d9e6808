#include "core/sessionfactory.h"

#include "core/booblik/boobliksession.h"

namespace topicscope
{

SessionFactory defaultSessionFactory()
{
    return [](const SessionConfig &config) -> std::unique_ptr<BrokerSession> {
        return std::make_unique<booblik::BooblikSession>(config);
    };
}

} // namespace topicscope
