// The map beside the table of a RecordPanel.

#include "core/base/digits.h"
#include "core/records/payloadformat.h"
#include "core/records/timestyle.h"
#include "ui/models/logsampler.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/views/partitionmap.h"
#include "ui/views/recordtableview.h"

#include <QHBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

void RecordPanel::setMapShown(bool shown)
{
    if (shown == bool(d->sampler))
        return;
    if (!shown) {
        d->loader.disconnect(d->sampler.get());
        delete std::exchange(d->map, nullptr);
        d->sampler.reset();
        return;
    }
    d->sampler = std::make_unique<LogSampler>(d->factory, d->config);
    d->map = new PartitionMap(this);
    d->map->setObjectName(u"partitionMap"_s);
    d->middle->addWidget(d->map);
    connect(&d->loader, &RecordLoader::rowsLoaded, d->sampler.get(), &LogSampler::add);
    connect(d->sampler.get(), &LogSampler::changed, this, [this] { d->updateMap(); });
    connect(d->sampler.get(), &LogSampler::ended, this, [this] { d->tellMap(); });
    connect(d->map, &PartitionMap::goToRequested, this, [this](PartitionId id, Offset offset) {
        const RecordLoader::Part *const part = d->loader.part(id);
        if (part && !d->partition) // the end of one partition is not that of all
            d->jumpWhen({{id, offset}, false});
        else if (part)
            d->jumpWhen({{id, offset}, part->highWatermark - offset <= d->view->rowsOnScreen()});
    });
    d->map->setHits(d->hits);
    d->openMap();
}

void RecordPanel::setHits(std::shared_ptr<const MarkedOffsets> hits)
{
    d->hits = std::move(hits);
    if (d->map)
        d->map->setHits(d->hits);
}

void RecordPanel::Private::openMap()
{
    if (!sampler)
        return;
    sampler->setIsolation(isolation);
    sampler->open(topic.name, loader.parts().size());
    map->setProfiles(&sampler->profiles());
    // Engines without times leave no room for them.
    PartitionMap::TimeText text;
    if (session.capabilities().timestamps) {
        text = [](qint64 ms, bool brief) {
            const TimeStyle style = TimeStyle::current();
            return brief ? style.clock(ms) : style.text(ms);
        };
    }
    map->setTimeText(std::move(text));
    tellMap();
}

/// Ends of the log and what the table holds; and, once there is nothing else to load, samples.
void RecordPanel::Private::tellMap()
{
    bool isHeld = true; // all of it: there is nothing to sample
    if (sampler) {
        std::map<PartitionId, std::pair<Offset, Offset>> held;
        for (const RecordLoader::Part &each : loader.parts()) {
            sampler->setEnds(each.id, each.logStart, loader.readableEnd(each));
            held.emplace(each.id, std::pair(each.begin, each.end));
            isHeld &= each.begin <= each.logStart && each.end >= loader.readableEnd(each);
        }
        map->setHeld(std::move(held));
    }
    if (!isLoaded)
        return;
    if (!isHeld && !loader.hasFailed() && loader.job() == RecordLoader::Job::None)
        sampler->start();
    if (isHeld || loader.hasFailed() || sampler->hasEnded()) {
        if (!std::exchange(isMapFilled, true))
            emit q->mapFilled();
    }
}

void RecordPanel::Private::updateMap()
{
    if (!map)
        return;
    map->setSource(
        tr("%1 of at most %2 samples taken")
            .arg(groupedDigits(sampler->fetches()), groupedDigits(LogSampler::kMostFetches)));
    map->updateGeometry();
    map->update();
}

} // namespace topicscope::ui
