// Where a RecordLoader's window stands, how it grows at its ends, and how several partitions become
// one sequence of rows.

#include "core/records/timemerge.h"
#include "ui/models/recordloader.h"

#include <algorithm>
#include <limits>
#include <map>

namespace topicscope::ui
{

namespace
{

constexpr Offset kNoLimit{std::numeric_limits<qint64>::max()};
/// Enough for one record and what it costs to ask for it.
constexpr qint32 kLookUpBytes = 16 * 1024;
/// While a scroll bar is dragged, offsets this old will do.
constexpr qint64 kFreshMs = 2'000;

} // namespace

size_t RecordLoader::indexOf(PartitionId id) const
{
    return m_indexes.value(id.value, m_parts.size());
}

// ------------------------------------------------------------------------------------ where to go

void RecordLoader::showNewest()
{
    show([this](const Part &each) { return readableEnd(each); });
}

void RecordLoader::show(Where where)
{
    beginShow(std::move(where), {});
    m_request = m_session->describeTopics({m_topic});
}

void RecordLoader::showAt(Place place)
{
    beginShow({}, std::move(place));
    m_request = m_session->describeTopics({m_topic});
}

void RecordLoader::beginShow(Where where, Place place)
{
    cancel();
    m_where = std::move(where);
    m_place = std::move(place);
    m_showing = true;
    m_again = [this] { m_place ? showAt(m_place) : show(m_where); };
    begin(Job::ReadingOffsets);
}

void RecordLoader::jumpTo(PartitionId partition, Offset offset)
{
    const auto place = [=] { return std::pair(partition, offset); };
    if (!m_sinceOffsets.isValid() || m_sinceOffsets.elapsed() > kFreshMs) {
        showAt(place);
        return;
    }
    beginShow({}, place);
    m_model->clear(); // what was there is not here
    for (Part &each : m_parts) {
        each.begin = each.end;
        each.before.clear();
        each.behind.clear();
    }
    startShow();
}

void RecordLoader::startShow()
{
    if (!m_place || m_parts.empty()) {
        placeWindow(m_place ? Where([this](const Part &each) { return readableEnd(each); })
                            : m_where);
        return;
    }
    const auto place = m_place();
    const PartitionId id = place.first;
    const Offset offset = place.second;
    const size_t at = indexOf(id);
    if (at == m_parts.size()) {
        placeWindow([this](const Part &each) { return readableEnd(each); });
    } else if (isMerged() && offset < readableEnd(m_parts[at])) {
        lookUp(id, std::max(offset, m_parts[at].logStart));
    } else {
        placeWindow(
            [=, this](const Part &each) { return each.id == id ? offset : readableEnd(each); });
    }
}

void RecordLoader::placeWindow(const Where &where)
{
    m_model->clear();
    m_hasArrivals = false;
    m_evictedInFront = false;
    m_evictedBehind = false;
    std::optional<size_t> from; // the first part of which something is to be shown
    for (size_t i = 0; i < m_parts.size(); ++i) {
        Part &each = m_parts[i];
        const Offset end = std::max(each.logStart, readableEnd(each));
        each.begin = std::clamp(where(each), each.logStart, end);
        each.end = each.begin;
        each.exhausted = false;
        each.before.clear();
        each.behind.clear();
        if (!from && each.end < end)
            from = i;
    }
    m_firstPart = from.value_or(m_parts.empty() ? 0 : m_parts.size() - 1);
    m_lastPart = m_firstPart;
    placeOthers();
    emit rangesChanged();
    if (from)
        startNewer();
    else
        startOlder();
}

/// Of what time is the record there? Then: where did the others stand at that time?
void RecordLoader::lookUp(PartitionId partition, Offset offset)
{
    m_lookedUp = {partition, offset};
    m_lookUpNext = offset;
    m_timeThere.reset();
    begin(Job::LookingUp);
    askForTime();
}

void RecordLoader::askForTime()
{
    FetchRequest request;
    request.partition = {m_topic, m_lookedUp.first};
    m_lookUpAsked = m_lookUpNext;
    request.offset = m_lookUpAsked;
    request.maxBytes = std::min(kLookUpBytes, m_maxBytes);
    request.isolation = m_isolation;
    m_request = m_session->fetch({request});
}

void RecordLoader::onOffsetsFound(RequestId id, const QList<TimeOffset> &offsets)
{
    if (id != m_request || m_job != Job::LookingUp)
        return;
    std::map<PartitionId, Offset> places;
    for (const TimeOffset &each : offsets) {
        if (each.error)
            emit partRefused(*each.error); // it is shown from its end; the others do not wait
        else
            places.insert_or_assign(each.partition.partition, each.offset);
    }
    places.insert_or_assign(m_lookedUp.first, m_lookedUp.second);
    placeWindow([this, places](const Part &each) {
        const auto place = places.find(each.id);
        return place == places.end() ? readableEnd(each) : place->second;
    });
}

// ----------------------------------------------------------------------------------- at both ends

/// One partition after the other: those before the window stand at their ends, those behind it at
/// their beginnings.
void RecordLoader::placeOthers()
{
    if (isMerged() || m_hasArrivals)
        return;
    for (size_t i = 0; i < m_parts.size(); ++i) {
        Part &each = m_parts[i];
        if (i < m_firstPart)
            each.begin = each.end = readableEnd(each);
        else if (i > m_lastPart)
            each.begin = each.end = each.logStart;
    }
}

bool RecordLoader::hasOlder(const Part &part) const
{
    return part.begin > part.logStart && !part.exhausted;
}

/// Few rows wait, and they are not large either.
bool RecordLoader::wantsMore(const std::deque<RecordBlock> &waiting) const
{
    int rows = 0;
    qint64 bytes = 0;
    for (const RecordBlock &block : waiting) {
        rows += block.rows;
        bytes += block.heldBytes();
    }
    return rows < kMinPageRows && bytes < loadBytes();
}

bool RecordLoader::hasNewer(const Part &part) const
{
    return part.end < readableEnd(part);
}

bool RecordLoader::canLoadOlder() const
{
    return !((m_following || m_hasArrivals) && m_model->store().overBudget()) &&
           std::ranges::any_of(m_parts, [this](const Part &each) { return hasOlder(each); });
}

bool RecordLoader::canLoadNewer() const
{
    // One partition after the other, what comes to those before the window's last is not shown.
    const auto from = m_parts.begin() + qsizetype(isMerged() ? 0 : m_lastPart);
    return !m_following && !m_hasArrivals &&
           std::any_of(from, m_parts.end(), [this](const Part &each) { return hasNewer(each); });
}

void RecordLoader::startOlder()
{
    begin(Job::Older);
    const auto add = [this](const Part &each, Offset limit, qint64 rows) {
        Task older;
        older.partition = each.id;
        older.next = limit - each.logStart > rows ? limit + -rows : each.logStart;
        older.limit = limit;
        m_tasks.push_back(std::move(older));
        return m_tasks.back().limit - m_tasks.back().next;
    };
    if (isMerged()) {
        for (const Part &each : m_parts) {
            const Offset reach = each.before.empty() ? each.begin : each.before.front().first;
            if (wantsMore(each.before) && reach > each.logStart && !each.exhausted)
                add(each, reach, pageRows());
        }
    } else if (!m_parts.empty()) {
        // As many parts, from the window outwards, as hold a page.
        placeOthers();
        qint64 wanted = pageRows();
        for (size_t i = m_parts.size(); i-- > 0 && wanted > 0;) {
            const Part &each = m_parts[i];
            if (hasOlder(each))
                wanted -= add(each, each.begin, wanted);
        }
    }
    step();
}

void RecordLoader::startNewer()
{
    begin(Job::Newer);
    const auto add = [this](const Part &each, Offset next) {
        Task newer;
        newer.partition = each.id;
        newer.next = next;
        newer.limit = kNoLimit;
        newer.done = next >= readableEnd(each) && m_showing;
        m_tasks.push_back(std::move(newer));
    };
    if (isMerged()) {
        for (const Part &each : m_parts) {
            if (wantsMore(each.behind))
                add(each, each.behind.empty() ? each.end : each.behind.back().end);
        }
    } else if (!m_parts.empty()) {
        placeOthers();
        qint64 wanted = pageRows();
        for (size_t i = m_lastPart; i < m_parts.size() && wanted > 0; ++i) {
            const Part &each = m_parts[i];
            if (i > m_lastPart && !hasNewer(each))
                continue;
            add(each, each.end);
            wanted -= readableEnd(each) - each.end;
        }
    }
    step();
}

// -------------------------------------------------------------------------------------- sequence

void RecordLoader::deliver(std::vector<RecordBlock> blocks)
{
    for (const RecordBlock &block : blocks) {
        partOf(block.partition)->end = block.end;
        if (!isMerged())
            m_lastPart = std::max(m_lastPart, indexOf(block.partition));
    }
    emit rowsLoaded(blocks);
    m_model->append(std::move(blocks));
    evictOldest();
    emit rangesChanged();
}

/// One partition after the other: what was read of the first task that is not done, and of those
/// before it. Where one ended early, those behind it have to wait for another load.
void RecordLoader::deliverWhatIsNext()
{
    for (Task &each : m_tasks) {
        if (!each.blocks.empty())
            deliver(std::exchange(each.blocks, {}));
        if (!each.done || each.next < readableEnd(*partOf(each.partition)))
            return;
    }
}

/// What a load of older records brought, in display order; the parts begin there now.
std::vector<RecordBlock> RecordLoader::takeOlder()
{
    std::vector<RecordBlock> all;
    for (Task &each : m_tasks) { // from the window outwards
        Part &known = *partOf(each.partition);
        if (each.limit != known.begin)
            break; // the window's beginning was evicted meanwhile
        // Only what reaches up to the window: it must not get a hole.
        if (each.next < each.limit || each.blocks.empty()) {
            if (!m_firstError)
                known.exhausted = true; // or scrolling would ask for ever
            break;
        }
        known.begin = each.blocks.front().first;
        all.insert(all.begin(), std::make_move_iterator(each.blocks.begin()),
                   std::make_move_iterator(each.blocks.end()));
        if (!m_hasArrivals)
            m_firstPart = indexOf(each.partition);
        if (known.begin > known.logStart)
            break; // the parts before it have to wait
    }
    emit rowsLoaded(all);
    return all;
}

void RecordLoader::mergeOlder()
{
    for (Task &each : m_tasks) {
        Part &known = *partOf(each.partition);
        if (each.limit != (known.before.empty() ? known.begin : known.before.front().first))
            continue; // the window's beginning was evicted meanwhile
        if (each.next >= each.limit && !each.blocks.empty())
            known.before.insert(known.before.begin(), std::make_move_iterator(each.blocks.begin()),
                                std::make_move_iterator(each.blocks.end()));
        else if (!each.failed)
            known.exhausted = true; // nothing there: the others do not wait for it
    }
    std::vector<MergeQueue> queues;
    for (Part &each : m_parts) {
        const Offset reach = each.before.empty() ? each.begin : each.before.front().first;
        queues.push_back({std::move(each.before), reach <= each.logStart || each.exhausted});
    }
    std::vector<RecordBlock> merged = mergeBackward(queues);
    for (size_t i = 0; i < queues.size(); ++i) {
        m_parts[i].before = std::move(queues[i].blocks);
    }
    for (const RecordBlock &block : merged) {
        Part &known = *partOf(block.partition);
        known.begin = std::min(known.begin, block.first);
    }
    emit rowsLoaded(merged);
    m_model->prepend(std::move(merged));
}

void RecordLoader::mergeNewer()
{
    for (Task &each : m_tasks) {
        Part &known = *partOf(each.partition);
        known.behind.insert(known.behind.end(), std::make_move_iterator(each.blocks.begin()),
                            std::make_move_iterator(each.blocks.end()));
    }
    std::vector<MergeQueue> queues;
    for (Part &each : m_parts) {
        const Offset reach = each.behind.empty() ? each.end : each.behind.back().end;
        const Task *const asked = task(each.id);
        // Asked for, and there is nothing: the others do not wait for it. Where it failed they do,
        // or its rows would come behind later ones when it is tried again.
        const bool gaveNothing = asked && asked->done && !asked->failed && each.behind.empty();
        queues.push_back({std::move(each.behind), reach >= readableEnd(each) || gaveNothing});
    }
    std::vector<RecordBlock> merged = mergeForward(queues);
    for (size_t i = 0; i < queues.size(); ++i)
        m_parts[i].behind = std::move(queues[i].blocks);
    if (!merged.empty())
        deliver(std::move(merged));
}

void RecordLoader::setFollowing(bool following)
{
    m_following = following;
    if (!following)
        return;
    for (Part &each : m_parts)
        each.behind.clear(); // the follower brings it again
    if (isMerged() || m_parts.size() < 2)
        return;
    placeOthers(); // those before the window are followed from their end
    m_hasArrivals = true;
}

/// Takes over what the model still holds after an eviction.
void RecordLoader::syncParts(bool frontEvicted)
{
    for (Part &each : m_parts) {
        if (const auto held = m_model->store().range(each.id)) {
            each.begin = held->first;
            each.end = held->end;
        } else if (frontEvicted) {
            each.begin = each.end;
        } else {
            each.end = each.begin;
        }
        // What waited right behind what went would leave a hole.
        (frontEvicted ? each.before : each.behind).clear();
    }
    const RecordStore &store = m_model->store();
    if (store.isEmpty() || isMerged() || m_hasArrivals)
        return;
    m_firstPart = indexOf(store.at(store.firstRow()).block->partition);
    m_lastPart = indexOf(store.at(store.endRow() - 1).block->partition);
    placeOthers();
}

} // namespace topicscope::ui
