#pragma once

#include "core/session/brokersession.h"

#include <QString>

#include <chrono>
#include <functional>

namespace topicscope::doctor
{

/// One thing that was looked at on the way to a broker's records.
struct Check {
    enum class Step {
        File,     ///< an exported file: whether it can be read
        Name,     ///< the host name and its addresses
        Connect,  ///< TCP
        Tls,      ///< the handshake, and whose certificate it is
        Protocol, ///< what speaks behind the port
        Login,    ///< whether the broker wants one, and offers ours
        Metadata, ///< logged in: topics and brokers
        Broker,   ///< one of the addresses the cluster advertises
        Fetch,    ///< one record
    };
    enum class Outcome { Passed, Failed };

    Step step = Step::Name;
    QString subject; ///< "host:port", "topic/partition" or a path
    Outcome outcome = Outcome::Passed;
    std::chrono::milliseconds elapsed{0};
    QString result; ///< what was found, in words; holds no secret
    QString advice; ///< what to do next; empty when passed
};

/// Stable lower-case name: "file", "name", "connect", "tls", "protocol", "login", "metadata",
/// "broker", "fetch".
QString stepName(Check::Step step);

using OnCheck = std::function<void(const Check &)>;

/// Walks from the configured names to the first record and tells each step when it is done; what
/// rests on a step that failed is not tried. Leaves no trace on the broker and sends no secret but
/// in the login itself, which is tried once.
/// @return whether everything passed. @error Cancelled; Timeout when the context's time is over.
/// Thread: any, without an event loop; blocking.
Result<bool> examine(const SessionConfig &config, const SessionFactory &factory,
                     const CallContext &context, const OnCheck &onCheck);

} // namespace topicscope::doctor
