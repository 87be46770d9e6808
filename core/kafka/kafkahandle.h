#pragma once

#include "core/base/callcontext.h"
#include "core/base/result.h"
#include "core/kafka/brokerwatch.h"
#include "core/kafka/loginguard.h"
#include "core/kafka/oauthtoken.h"
#include "core/profiles/secrets.h"
#include "core/session/sessionconfig.h"

#include <QMap>

#include <librdkafka/rdkafka.h>

#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

namespace topicscope::kafka
{

template <auto destroy>
struct Destroy {
    template <typename T>
    void operator()(T *object) const
    {
        destroy(object);
    }
};

using Message = std::unique_ptr<rd_kafka_message_t, Destroy<&rd_kafka_message_destroy>>;
using Queue = std::unique_ptr<rd_kafka_queue_t, Destroy<&rd_kafka_queue_destroy>>;
using Topic = std::unique_ptr<rd_kafka_topic_t, Destroy<&rd_kafka_topic_destroy>>;
using PartitionList = std::unique_ptr<rd_kafka_topic_partition_list_t,
                                      Destroy<&rd_kafka_topic_partition_list_destroy>>;
using Headers = std::unique_ptr<rd_kafka_headers_t, Destroy<&rd_kafka_headers_destroy>>;
using Metadata = std::unique_ptr<const rd_kafka_metadata_t, Destroy<&rd_kafka_metadata_destroy>>;

/// One librdkafka client with what its callbacks reported.
///
/// librdkafka's blocking calls cannot be interrupted and its destruction may take long, so both
/// happen on threads that nobody waits for: a cancelled call() is left to end by itself, and the
/// last reference hands the client to a thread that destroys it.
///
/// Everything taken from the client (messages, queues, topics, lists) must be freed before the last
/// reference goes: a kept one makes librdkafka's destruction wait for ever.
///
/// Thread: any; serve() by one thread at a time, which then runs the callbacks.
class Handle : public std::enable_shared_from_this<Handle>
{
public:
    using ReportCallback = void (*)(rd_kafka_t *, const rd_kafka_message_t *, void *opaque);

    /// A client for this config. The config's own properties go over our defaults; `properties` go
    /// over both: what is promised and shown (acks, no commits, no silent jump, where a partition
    /// ends) rests on them.
    /// `onReport` gets what became of published records; `reports`, which it reaches through
    /// reportsOf(), lives as long as the client.
    /// @error InvalidArgument with librdkafka's sentence, which names the property.
    static Result<std::shared_ptr<Handle>> make(rd_kafka_type_t type, const SessionConfig &config,
                                                const QMap<QString, QString> &properties,
                                                ReportCallback onReport = nullptr,
                                                std::shared_ptr<void> reports = nullptr);
    ~Handle();
    Q_DISABLE_COPY_MOVE(Handle)

    /// In a report callback: the object given to make().
    static void *reportsOf(void *opaque);

    rd_kafka_t *get() const { return m_client; }
    const QString &endpoint() const { return m_endpoint; }

    /// To be called before anything is asked of a client that rested: what it has to tell by now is
    /// old, and no reason to give up what is about to begin. call() and waitFor() do so themselves.
    void begin();

    /// Runs the callbacks that wait, and waits for one at most `wait`.
    void serve(std::chrono::milliseconds wait);

    /// Why nothing can be reached: no broker is connected, and one was lost or tried in vain since
    /// begin(). The last broker's own error rather than the library's "all brokers down". Login
    /// refused stays for good, and the client logs in no more; refused to another client of the
    /// connection, it counts once this one has no broker any more.
    std::optional<Error> connectionError() const;

    /// Runs a blocking librdkafka call on a thread of its own and waits for it; back within one
    /// wait slice of a cancel, and as soon as no broker can be reached. `run` is given the client
    /// and how long it may take in ms.
    template <typename T>
    Result<T> call(std::function<Result<T>(rd_kafka_t *, int)> run, const CallContext &context)
    {
        auto promise = std::make_shared<std::promise<Result<T>>>();
        auto future = promise->get_future();
        const int timeout = timeoutOf(context);
        begin();
        std::thread([self = shared_from_this(), promise, run = std::move(run), timeout] {
            promise->set_value(run(self->m_client, timeout));
        }).detach();
        if (auto interrupted = waitOn(
                [&future](std::chrono::milliseconds slice) {
                    return future.wait_for(slice) == std::future_status::ready;
                },
                context))
            return std::move(*interrupted);
        Result<T> result = future.get();
        if (!result && result.error().kind == ErrorKind::Network && context.deadline.hasExpired()) {
            Error error = std::move(result).error();
            explain(error); // the library knows no more than that there is no broker
            return error;
        }
        return result;
    }

    /// Waits until `ready(slice)` is true, serving callbacks. The error says why it ended before.
    std::optional<Error> waitFor(const std::function<bool(std::chrono::milliseconds)> &ready,
                                 const CallContext &context);

private:
    Handle() = default;

    std::optional<Error> waitOn(const std::function<bool(std::chrono::milliseconds)> &ready,
                                const CallContext &context);
    /// Says of a call that ended with its time what is known of the brokers.
    void explain(Error &error) const;
    /// Login refused, where that stands in the way.
    std::optional<Error> refusal() const;
    static int timeoutOf(const CallContext &context);
    static void onTokenWanted(rd_kafka_t *client, const char *config, void *opaque);
    static void onError(rd_kafka_t *client, int code, const char *reason, void *opaque);
    static int onConnect(int socket, const sockaddr *address, int length, const char *broker,
                         void *opaque);
    static void onLog(const rd_kafka_t *client, int level, const char *facility, const char *text);

    struct State {
        explicit State(std::shared_ptr<LoginRefusal> refusal)
            : guard(brokers, std::move(refusal))
        {
        }

        mutable std::mutex mutex;
        std::optional<Error> brokerError; ///< the last of one broker; old once it is connected
        std::optional<Error> refused;     ///< login refused to this client: final
        std::optional<Error> tokenError;  ///< no token to log in with, for now
        std::optional<Error> badAnswer;   ///< one this client cannot take, and would get again
        bool allDown = false;             ///< the library says so once, however long it stays so
        quint64 lossesBefore = 0;         ///< the brokers', at begin()
        std::shared_ptr<void> reports;
        QString login; ///< how and as whom, for error texts; empty without one
        BrokerWatch brokers;
        LoginGuard guard;
        Secrets secrets;
        std::optional<OAuthConfig> oauth;
        std::chrono::milliseconds tokenLimit{};
        // Of the thread that fetches tokens alone:
        qint64 tokenExpiresMs = 0;           ///< of the one we log in with; since 1970
        std::optional<Error> renewalRefused; ///< final as soon as that one has expired
        std::stop_source stop;               ///< of fetching a token
    };

    rd_kafka_t *m_client = nullptr;
    QString m_endpoint;
    std::shared_ptr<State> m_state; ///< outlives the client, whose callbacks write to it
};

using HandlePtr = std::shared_ptr<Handle>;

} // namespace topicscope::kafka
