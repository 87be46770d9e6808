#pragma once

#include "app/cli/commandline.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "core/session/brokersession.h"
#include "core/session/topicinfo.h"

#include <QElapsedTimer>

#include <chrono>
#include <functional>
#include <memory>

namespace topicscope::cli
{

/// How often a verb that takes long says how far it is.
inline constexpr std::chrono::milliseconds kProgressEvery{2'000};

/// --broker, --profile, --config, --property, --timeout and --json: what every verb that talks to a
/// broker takes.
QList<Option> brokerOptions();
/// --internal: the broker's own topics as well.
Option internalOption();

/// What those options say. @error InvalidArgument; Io; Cancelled by Ctrl-C when asked for a secret.
Result<SessionConfig> sessionConfig(const CommandLine &line);

/// Says why there is none and returns the exit code.
int configError(const QString &verb, const Error &error);

/// One run of a verb that talks to a broker: the session, where the output goes, and Ctrl-C.
/// Read standard input before making it: from then on a Ctrl-C only asks.
class Client
{
public:
    Client(const SessionConfig &config, bool json);

    BrokerSession &session() { return *m_session; }
    Output &out() { return m_out; }
    bool json() const { return m_json; }

    /// For one call: --timeout from now, ended by Ctrl-C.
    CallContext call() const;
    /// The same with another limit.
    CallContext call(std::chrono::milliseconds limit) const;
    bool interrupted() const { return m_interrupt.token().stop_requested(); }

    /// Says what failed on standard error (one JSON object a line with --json) and returns the exit
    /// code it ends the program with. What was printed before is handed over first.
    int fail(const Error &error);
    /// Says something on standard error that is no failure.
    void note(const QString &text);
    /// The last thing a verb does. `code` unless interrupted.
    int finish(int code);

private:
    Interrupt m_interrupt; // first: its thread has to be the first
    Output m_out;
    std::unique_ptr<BrokerSession> m_session;
    bool m_json;
    QElapsedTimer m_sinceTold;
};

/// The topics a verb is about.
struct TopicChoice {
    QStringList names = {}; ///< empty: all
    bool internal = false;  ///< of all: the broker's own as well
};

/// Runs a verb that begins with topics and their offsets: its options, the client, the topics that
/// are there, then `body`, which returns an ExitCode. So does this.
int withTopics(const QString &verb, const CommandLine &line, const TopicChoice &choice,
               const std::function<int(Client &client, const TopicList &topics)> &body);

} // namespace topicscope::cli
