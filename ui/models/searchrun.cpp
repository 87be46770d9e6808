#include "ui/models/searchrun.h"

namespace topicscope::ui
{

using search::Coverage;
using search::Ledger;
using search::SearchHandle;
using search::SearchProgress;
using search::SearchRequest;
using search::SearchResult;

SearchRun::SearchRun(SessionFactory factory, QObject *parent)
    : QObject(parent)
    , m_factory(std::move(factory))
{
}

void SearchRun::start(const SessionConfig &config, SearchRequest request)
{
    m_config = config;
    m_request = std::move(request);
    m_ledger.clear();
    run();
}

void SearchRun::resume()
{
    if (!canResume())
        return;
    m_request->resumed = m_ledger;
    run();
}

void SearchRun::run()
{
    m_error.reset();
    m_progress.reset();
    m_handle = std::make_unique<SearchHandle>(m_factory, m_config, *m_request);
    connect(m_handle.get(), &SearchHandle::planned, this, [this](const Ledger &ledger) {
        m_ledger = ledger;
        emit changed();
    });
    connect(m_handle.get(), &SearchHandle::found, this, &SearchRun::found);
    connect(m_handle.get(), &SearchHandle::progressed, this, [this](const SearchProgress &told) {
        m_progress = told;
        m_ledger = told.ledger;
        emit changed();
    });
    connect(m_handle.get(), &SearchHandle::finished, this, [this](const SearchResult &result) {
        m_ledger = result.ledger;
        end();
    });
    connect(m_handle.get(), &SearchHandle::failed, this, [this](const Error &error) {
        if (error.kind != ErrorKind::Cancelled)
            m_error = error;
        end();
    });
    m_state = State::Running;
    emit changed();
}

void SearchRun::end()
{
    m_state = State::Ended;
    m_handle.release()->deleteLater(); // we are in its signal
    emit changed();
}

void SearchRun::stop()
{
    if (m_state != State::Running)
        return;
    m_handle->cancel();
    m_state = State::Stopping;
    emit changed();
}

void SearchRun::clear()
{
    m_handle.reset();
    m_request.reset();
    m_state = State::Idle;
    m_ledger.clear();
    m_progress.reset();
    m_error.reset();
    emit changed();
}

bool SearchRun::canResume() const
{
    if (m_state != State::Ended)
        return false;
    const search::LedgerTotals totals = search::totalsOf(m_ledger);
    return totals.of(Coverage::Pending) > 0 || totals.of(Coverage::Failed) > 0;
}

} // namespace topicscope::ui
