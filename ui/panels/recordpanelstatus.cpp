// What the panel says around its table: offsets, progress, and what has just happened.

#include "core/base/digits.h"
#include "core/session/backoff.h"
#include "ui/errortext.h"
#include "ui/panels/recordbar.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/plaintooltip.h"
#include "ui/views/recordtableview.h"

#include <QLabel>
#include <QToolButton>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// Why nothing more comes: what will not heal by itself is said.
QString lostText(const Error &error)
{
    if (isConnectionFailure(error) && isTriedAgain(error))
        return RecordPanel::tr(" · connection lost, trying again");
    return u" · "_s + errorText(error).full();
}

} // namespace

void RecordPanel::Private::updateHeader()
{
    const auto &parts = loader.parts();
    QString text;
    titleLabel->setText(q->title());
    if (partition && !parts.empty()) {
        const RecordLoader::Part &only = parts.front();
        text +=
            tr("log start %1 · high watermark %2")
                .arg(groupedDigits(only.logStart.value), groupedDigits(only.highWatermark.value));
        if (only.lastStable && *only.lastStable < only.highWatermark) {
            const QString held = groupedDigits(only.highWatermark - *only.lastStable);
            const QString since = groupedDigits(only.lastStable->value);
            text += isolation == Isolation::ReadCommitted
                        ? tr(" · an open transaction hides %1 offsets since %2").arg(held, since)
                        : tr(" · last stable offset %1: a transaction is open").arg(since);
        }
        if (only.begin < only.end) {
            text += tr(" · showing %1 … %2")
                        .arg(groupedDigits(only.begin.value), groupedDigits(only.end.value - 1));
        }
    } else if (!parts.empty()) {
        const QString order = loader.isMerged() ? tr("by time, followed ones as they arrive")
                                                : tr("by partition, followed ones as they arrive");
        text = tr("partitions %1 · offsets %2 · rows shown %3: %4")
                   .arg(QString::number(parts.size()), groupedDigits(axis().length()),
                        groupedDigits(model.store().rowCount()), order);
    }
    header->setText(text);
    header->setToolTip(text);
}

void RecordPanel::Private::updateStatus()
{
    QString text;
    if (scan.isRunning()) {
        text = (scan.isForWanted()
                    ? tr("Looking for this key: %1 offsets scanned, at %2 / %3 offset %4")
                    : tr("Looking for a flagged record: %1 offsets scanned, at %2 / %3 offset %4"))
                   .arg(groupedDigits(scan.scanned()), scan.partition().topic,
                        QString::number(scan.partition().partition.value),
                        groupedDigits(scan.position().value));
    } else if (loader.job() == RecordLoader::Job::Whole) {
        text = tr("Fetching the whole record…");
    } else if (loader.job() == RecordLoader::Job::Older) {
        text = tr("Loading older records…");
    } else if (loader.job() != RecordLoader::Job::None) {
        text = tr("Loading…");
    } else if (session.state() == ConnectionState::Lost) {
        text = isTriedAgain(session.lastError())
                   ? tr("Connection lost; trying again. What was loaded stays.")
                   : errorText(session.lastError()).full();
    } else if (following) {
        text = tr("%1 records/s · behind by %2")
                   .arg(groupedDigits(qint64(feed ? feed->rate() : 0)), groupedDigits(behind()));
        // What was received is either still shown or was let go at the beginning.
        const qint64 shown = std::min(received, model.store().rowCount());
        text += tr(" · received %1").arg(groupedDigits(received));
        if (shown < received) {
            text += tr(": %1 shown, %2 let go")
                        .arg(groupedDigits(shown), groupedDigits(received - shown));
        }
        if (paused)
            text += tr(" · paused");
        else if (readingBack)
            text += tr(" · held while you read back: scroll to the end to go on");
        else if (feed && feed->state() == ConnectionState::Lost)
            text += lostText(feed->lastError());
        if (!cutBack.isEmpty())
            text += u" · "_s + cutBack;
        if (model.isFiltered())
            text += u" · "_s + filterText();
    } else if (model.isFiltered()) {
        text = filterText();
    } else {
        text = message;
    }
    if ((following || model.isFiltered()) && justSaid.isActive())
        text = message + u" · "_s + text;
    status->setText(text);
    status->setToolTip(plainToolTip(text)); // it gives way to a narrow window
    cancelButton->setVisible(scan.isRunning() || loader.job() == RecordLoader::Job::Whole);
}

void RecordPanel::Private::updatePlaceholder()
{
    if (loader.job() != RecordLoader::Job::None || !(isLoaded || loader.hasFailed()))
        view->setPlaceholder(tr("Loading…"));
    else if (loader.hasFailed())
        view->setPlaceholder(tr("Nothing was loaded"));
    else if (model.isFiltered() && model.store().rowCount() > 0)
        view->setPlaceholder(tr("No row loaded matches the filter"));
    else
        view->setPlaceholder(partition ? tr("This partition holds no records")
                                       : tr("This topic holds no records"));
}

void RecordPanel::Private::say(const QString &text)
{
    message = text;
    if (text.isEmpty())
        justSaid.stop();
    else
        justSaid.start();
    updateStatus();
}

} // namespace topicscope::ui
