#pragma once

#include "core/search/searchhandle.h"

#include <QObject>

#include <memory>
#include <optional>

namespace topicscope::ui
{

/// A search from its start to its account, with all its stops and resumptions. Its hits are told
/// as they are found, each once.
/// Thread: GUI. Nothing here waits.
class SearchRun final : public QObject
{
    Q_OBJECT
public:
    enum class State {
        Idle,     ///< none was begun
        Running,  ///< or finding out what there is to search
        Stopping, ///< as soon as what is being looked at is done
        Ended,    ///< at the end or before it; the ledger says
    };

    explicit SearchRun(SessionFactory factory, QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(SearchRun)

    /// Forgets the one before.
    void start(const SessionConfig &config, search::SearchRequest request);
    void stop();
    /// Goes on with what is pending or failed.
    void resume();
    void clear();

    State state() const { return m_state; }
    bool isActive() const { return m_state == State::Running || m_state == State::Stopping; }
    bool canResume() const;
    /// As far as it is known.
    const search::Ledger &ledger() const { return m_ledger; }
    /// While it runs, once there is something to tell.
    const std::optional<search::SearchProgress> &progress() const { return m_progress; }
    /// Why nobody could say what there is to search.
    const std::optional<Error> &error() const { return m_error; }

signals:
    /// State, ledger or progress.
    void changed();
    /// `partition` is its number in the ledger.
    void found(size_t partition, const topicscope::RecordChunkPtr &hits);

private:
    void run();
    void end();

    SessionFactory m_factory;
    SessionConfig m_config;
    std::optional<search::SearchRequest> m_request;
    std::unique_ptr<search::SearchHandle> m_handle;
    State m_state = State::Idle;
    search::Ledger m_ledger;
    std::optional<search::SearchProgress> m_progress;
    std::optional<Error> m_error;
};

} // namespace topicscope::ui
