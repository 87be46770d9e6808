#include "ui/models/placefinder.h"

namespace topicscope::ui
{

PlaceFinder::PlaceFinder(SessionHandle *session, QObject *parent)
    : QObject(parent)
    , m_session(session)
{
    connect(session, &SessionHandle::offsetsFound, this,
            [this](RequestId id, const QList<TimeOffset> &offsets) {
                if (id == m_request)
                    onOffsets(offsets);
            });
    connect(session, &SessionHandle::failed, this, [this](RequestId id, const Error &error) {
        if (id != m_request)
            return;
        m_request = {};
        emit failed(error);
    });
}

void PlaceFinder::cancel()
{
    m_session->cancel(std::exchange(m_request, {}));
}

void PlaceFinder::find(const QString &topic, const std::vector<RecordLoader::Part> &parts,
                       const LogRange &range)
{
    cancel();
    m_range = range;
    m_partitions.clear();
    m_places.clear();
    const auto isTime = [](const LogPlace &place) { return place.kind == LogPlace::Kind::Time; };
    for (const RecordLoader::Part &part : parts) {
        m_partitions.append({topic, part.id});
        Place place;
        if (!isTime(range.from))
            place.from = range.from.resolve(part.logStart, part.highWatermark);
        if (range.to && !isTime(*range.to))
            place.to = range.to->resolve(part.logStart, part.highWatermark);
        m_places.emplace(part.id, place);
    }
    m_askedFrom = !isTime(range.from);
    m_askedTo = !range.to || !isTime(*range.to);
    askNext();
}

void PlaceFinder::askNext()
{
    if (m_askedFrom && m_askedTo)
        emit found();
    else
        m_request = m_session->offsetsAtTime(m_partitions, m_askedFrom ? m_range.to->number
                                                                       : m_range.from.number);
}

void PlaceFinder::onOffsets(const QList<TimeOffset> &offsets)
{
    m_request = {};
    for (const TimeOffset &offset : offsets) {
        const auto place = m_places.find(offset.partition.partition);
        if (place == m_places.end())
            continue;
        if (offset.error) {
            place->second.error = offset.error;
        } else if (m_askedFrom) {
            place->second.to = offset.offset;
        } else {
            place->second.from = offset.offset;
            place->second.isAfterLast = offset.afterLast;
        }
    }
    (m_askedFrom ? m_askedTo : m_askedFrom) = true;
    askNext();
}

} // namespace topicscope::ui
