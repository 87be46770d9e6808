#include "app/cli/command_follow.h"

#include "app/cli/client.h"
#include "app/cli/errorlines.h"
#include "app/cli/readoptions.h"
#include "app/cli/recordprinter.h"
#include "core/session/backoff.h"

#include <QHash>
#include <QThread>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

using Positions = std::vector<std::pair<TopicPartition, Offset>>;

/// How often a quiet follow looks whether somebody still reads its output.
constexpr std::chrono::milliseconds kLook = 250ms;
constexpr std::chrono::milliseconds kFirstRetry = 500ms;
constexpr std::chrono::milliseconds kLastRetry = 15'000ms;

class Follower
{
public:
    Follower(Client &client, RecordPrinter &printer, const ReadArguments &arguments, Positions from)
        : m_client(client)
        , m_printer(printer)
        , m_left(arguments.count)
        , m_request{std::move(from), arguments.maxBytes, arguments.isolation}
    {
    }

    /// @return an ExitCode
    int run()
    {
        if (const auto opened = connect(); !opened)
            return m_client.fail(opened.error());
        while (m_left > 0 && !m_request.from.empty() && goesOn()) {
            auto result = m_records->next(m_client.call(kLook));
            if (result) {
                take(*result);
            } else if (result.error().kind == ErrorKind::Broker) {
                giveUp(result.error());
            } else if (result.error().kind != ErrorKind::Timeout) {
                if (m_client.interrupted())
                    break;
                m_client.fail(result.error());
                if (!isTriedAgain(result.error()))
                    m_failed = true;
                if (m_failed || !reconnect())
                    break;
            }
        }
        return m_failed ? ExitFailed : m_printer.hasFindings() ? ExitFindings : ExitOk;
    }

private:
    bool goesOn() { return !m_client.interrupted() && !m_client.out().readerGone(); }

    Result<void> connect()
    {
        auto records = m_client.session().follow(m_request, m_client.call());
        if (!records)
            return std::move(records).error();
        m_records = std::move(records).value();
        return {};
    }

    /// Goes on where it stopped, as soon as the broker is back. False when told to end meanwhile,
    /// or when the broker will not have us again.
    bool reconnect()
    {
        for (auto delay = kFirstRetry;; delay = std::min(2 * delay, kLastRetry)) {
            const CallContext pause = m_client.call(delay);
            while (goesOn() && !pause.interruption())
                QThread::msleep(ulong(pause.slice().count()));
            if (!goesOn())
                return false;
            const auto connected = connect();
            if (connected) {
                m_client.note(u"connected again"_s);
                return true;
            }
            if (goesOn() && !isTriedAgain(connected.error())) {
                m_client.fail(connected.error());
                m_failed = true;
                return false;
            }
        }
    }

    void take(const FetchResult &result)
    {
        forEachRow(
            result,
            [&](const Record &record) {
                if (!m_printer.wants(*result.chunk, record))
                    return true;
                m_printer.record(*result.chunk, record);
                return --m_left > 0;
            },
            [&](const OffsetGap &gap) {
                m_printer.gap(result.partition, gap);
                return true;
            });
        Offset next = result.nextOffset;
        if (m_left > 0) {
            m_printer.end(result);
            if (result.end == FetchEnd::RecordExceedsMaxBytes ||
                result.end == FetchEnd::ImpossibleSize) {
                next = next + 1; // one bad record does not hide the others
                --m_left;
                m_records->skipTo(result.partition, next);
            } else if (result.end == FetchEnd::EmptyBelowHighWatermark) {
                forget(result.partition);
            }
        }
        for (auto &[partition, position] : m_request.from) {
            if (partition == result.partition)
                position = next;
        }
        m_client.out().flush();
    }

    /// The broker refuses one partition; the others go on.
    void giveUp(const Error &error)
    {
        m_client.fail(error);
        m_failed = true;
        if (error.where.partition)
            forget({error.where.topic, *error.where.partition});
        else
            m_request.from.clear(); // about none in particular: about all
    }

    void forget(const TopicPartition &partition)
    {
        std::erase_if(m_request.from, [&](const auto &entry) { return entry.first == partition; });
    }

    Client &m_client;
    RecordPrinter &m_printer;
    qint64 m_left;
    FollowRequest m_request; ///< `from`: positions of what is still followed
    std::unique_ptr<RecordFollower> m_records;
    bool m_failed = false;
};

int followAll(Client &client, const ReadArguments &arguments, const QList<Target> &targets,
              RecordPrinter &printer)
{
    client.out().flush(); // the header, before the wait for records
    Positions from;
    for (const Target &target : targets)
        from.emplace_back(target.partition, target.begin);
    return Follower(client, printer, arguments, std::move(from)).run();
}

int runFollow(const CommandLine &line)
{
    return readTargets(u"follow"_s, line, LogPlace::end(), followAll);
}

} // namespace

Command followCommand()
{
    return {
        .verb = u"follow"_s,
        .arguments = u"TOPIC[/PARTITION]..."_s,
        .summary = u"Print records as they come, until Ctrl-C"_s,
        .details =
            u"Several partitions take turns; a TOPIC alone means all its partitions. A lost "
            u"broker\n"
            u"is tried again until it is back, going on where it stopped. Ends with exit code 130\n"
            u"on Ctrl-C, after what was read has been printed, and quietly when the reader of its\n"
            u"output goes away.\n"
            u"\n"_s +
            readingHelp() +
            u"\n"
            u"Examples:\n"
            u"  topicscope-cli follow orders\n"
            u"  topicscope-cli follow orders/0 clicks/0 --from -5 --json\n"_s,
        .options = brokerOptions() + readOptions(u"end"_s),
        .rawArguments = false,
        .run = runFollow,
    };
}

} // namespace topicscope::cli
