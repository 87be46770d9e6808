// Follow mode of a RecordPanel.

#include "ui/errortext.h"
#include "ui/panels/recordbar.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/views/banner.h"
#include "ui/views/recordtableview.h"

namespace topicscope::ui
{

void RecordPanel::setFollowing(bool following)
{
    d->setFollowing(following);
}

void RecordPanel::setPaused(bool paused)
{
    d->paused = paused && d->following;
    d->updateHeld();
    d->bar->setFollowing(d->following, d->paused);
    d->updateStatus();
    emit stateChanged();
}

void RecordPanel::Private::setFollowing(bool on)
{
    if (on == following)
        return;
    if (on) {
        scan.cancel();
        banner->hide();
        cutBack.clear();
        // From the end on: when the window is elsewhere, it goes there first.
        if (loader.canLoadNewer() || loader.job() != RecordLoader::Job::None) {
            wanted = {partition, LogPlace::end()};
            loader.showNewest();
            following = true;
        } else {
            following = true;
            startFeed();
        }
    } else {
        following = false;
        paused = false;
        stopFeed();
    }
    bar->setFollowing(following, paused);
    updateStatus();
    emit q->stateChanged();
}

void RecordPanel::Private::startFeed()
{
    loader.setFollowing(true);
    readingBack = false;
    received = 0;
    view->setFollowsEnd(true);
    view->scrollToBottom();
    everySecond.start();
    openFeed();
}

/// From the end of what is shown on; in the place of one that ended.
void RecordPanel::Private::openFeed()
{
    dropFeed();
    std::vector<std::pair<TopicPartition, Offset>> from;
    for (const RecordLoader::Part &part : loader.parts())
        from.emplace_back(TopicPartition{topic.name, part.id}, part.end);
    feed = std::make_unique<RecordFeed>(
        factory, config, FollowRequest{std::move(from), kDefaultMaxBytes, isolation});
    connect(feed.get(), &RecordFeed::arrived, q,
            [this](const std::vector<FetchResult> &results) { onArrived(results); });
    connect(feed.get(), &RecordFeed::stateChanged, q, [this] { updateStatus(); });
    connect(feed.get(), &RecordFeed::partitionFailed, q,
            [this](const TopicPartition &where, const Error &error) {
                banner->say(Tone::Danger, errorText(error).full());
                loader.followFailed(where, error);
            });
    updateHeld();
}

void RecordPanel::Private::stopFeed()
{
    everySecond.stop();
    loader.setFollowing(false);
    view->setFollowsEnd(false);
    dropFeed();
}

void RecordPanel::Private::dropFeed()
{
    if (feed) {
        feed->disconnect(q);
        feed.release()->deleteLater(); // we may be in the middle of its signal
    }
}

/// The rows shown are of a log that is gone: those of the new one are shown instead, and followed.
void RecordPanel::Private::onLogShortened(const QString &what)
{
    cutBack = tr("%1; following went on from there").arg(what);
    banner->say(Tone::Warning, tr("The log of %1 is shorter now: %2.").arg(topic.name, cutBack));
    stopFeed();
    wanted = {partition, LogPlace::end()};
    loader.showNewest();
}

void RecordPanel::Private::onArrived(const std::vector<FetchResult> &results)
{
    received += loader.appendFollowed(results);
    if (model.store().overBudget() && !view->isAtBottom())
        readingBack = true;
    updateHeld();
}

/// Holds new records back while paused, and while the window is full and its beginning is read.
void RecordPanel::Private::updateHeld()
{
    if (!feed)
        return;
    if (readingBack && view->isAtBottom()) {
        readingBack = false;
        loader.evictOldest();
    }
    feed->setHeld(paused || readingBack);
    updateStatus();
}

qint64 RecordPanel::Private::behind() const
{
    qint64 sum = 0;
    for (const RecordLoader::Part &part : loader.parts())
        sum += lagOf(part.end, loader.readableEnd(part));
    return sum;
}

} // namespace topicscope::ui
