#pragma once

#include "core/records/logmap.h"
#include "core/records/recordcontent.h"
#include "core/session/brokersession.h"
#include "core/session/sessionhandle.h"
#include "core/session/topicinfo.h"
#include "ui/models/comparedrecord.h"
#include "ui/models/exportsubject.h"
#include "ui/models/recordcopy.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace topicscope::ui
{

class ColumnLayout;

/// One tab: the records of one partition, or of a whole topic with its partitions merged. Holds a
/// bounded window of records and loads around it as one scrolls.
///
/// Brings its own bar (go to, filter, first, last, flagged, follow, pause), so a window around it
/// only needs menu entries that call the public slots. It has connections of its own: one to fetch,
/// one to follow.
///
/// Thread: GUI. Nothing here waits.
class RecordPanel final : public QWidget
{
    Q_OBJECT
public:
    RecordPanel(SessionFactory factory, SessionConfig config, QWidget *parent = nullptr);
    ~RecordPanel() override;
    Q_DISABLE_COPY_MOVE(RecordPanel)

    /// Shows a partition, or with nullopt the whole topic, at `at` or at its newest records.
    void open(const TopicInfo &topic, std::optional<PartitionId> partition,
              std::optional<Offset> at = {});

    const QString &topic() const;
    std::optional<PartitionId> partition() const; ///< nullopt: the whole topic
    QString title() const;                        ///< "orders / 1", "orders"
    const Capabilities &capabilities() const;
    ConnectionState connectionState() const; ///< of the fetching connection
    bool isFollowing() const;
    bool isPaused() const;
    bool isLoaded() const;         ///< the first rows, or the reason why there are none, are shown
    int flaggedCount() const;      ///< flagged rows in the window
    ColumnLayout *columns() const; ///< of the table
    /// Memory the window may hold, in bytes; what is too much goes at once, except what is seen.
    void setByteBudget(qint64 bytes);
    /// What "larger than max bytes" means, in bytes, for the next fetches.
    void setMaxBytes(qint32 bytes);
    /// A picture of the whole log beside the table; it reads samples on a connection of its own.
    void setMapShown(bool shown);
    /// What a search has found in this topic; the map marks it. Null: nothing.
    void setHits(std::shared_ptr<const MarkedOffsets> hits);
    /// How keys and values are written out.
    void setFormats(const RecordFormats &formats);
    const RecordFormats &formats() const;
    /// What stands in the way of a format, and that it can be tried again; empty: nothing.
    void setFormatProblem(const QString &problem);
    ComparedRecord comparedRecord() const; ///< the current one; chunk null: it is none
    Isolation isolation() const;
    /// What is selected, shown and there to be exported.
    ExportSubject exportSubject() const;

public slots:
    /// "1234", "start", "end", "-100" (before the end); says so when it had to be clamped. Where
    /// the engine knows times also "14:05", "-1h", "@2026", see parseTime(); "@" says that one is
    /// meant.
    void goTo(const QString &where);
    /// Shows and selects one record.
    void goToOffset(const topicscope::TopicPartition &partition, topicscope::Offset offset);
    void goToFirst();
    void goToLast();
    void nextFlagged();
    void previousFlagged();
    void setFollowing(bool following);
    void setPaused(bool paused);
    /// Tries to connect now, also where a refused login ended all attempts.
    void reconnect();
    /// Reads the offsets again and loads what is new.
    void refresh();
    /// Fetches the current row's record whole, when it was larger than max bytes.
    void fetchWhole();
    /// Reads what is shown again, with or without the records of open and aborted transactions.
    void setIsolation(topicscope::Isolation isolation);
    void copyAs(topicscope::ui::CopyWhat what, topicscope::ui::CopyFormat format);
    /// Hands the two selected records to compareRequested.
    void compareSelected();
    /// The current record and the one before it with the same key, which is looked for in the log.
    void compareWithPrevious();
    /// Hand the current record to markRequested and compareWithMarkedRequested.
    void markForComparison();
    void compareWithMarked();
    /// Hands the current record to copyToComposerRequested.
    void copyToComposer();
    /// Only rows that match this expression of the filter language (and rows that cannot be looked
    /// into); what is no expression is looked for as it is written.
    void setFilter(const QString &text);
    /// Tells formatChosen.
    void chooseFormat(topicscope::PayloadPart part, const QString &name);
    /// Only rows that have, or do not have, what the current cell has; of those shown now.
    void filterForCell();
    void filterOutCell();
    /// Asks for a search for it.
    void searchForCell();
    void focusGoTo();
    void focusFilter();
    /// Stops what is running (a load, a scan); what was loaded stays.
    void cancel();

signals:
    void compareRequested(const topicscope::ui::ComparedRecord &left,
                          const topicscope::ui::ComparedRecord &right);
    /// The current record is to be compared with one from elsewhere.
    void markRequested(const topicscope::ui::ComparedRecord &record);
    void compareWithMarkedRequested(const topicscope::ui::ComparedRecord &record);
    /// `index` is -1 and `chunk` null when the current row is no record.
    void currentRecordChanged(topicscope::RecordChunkPtr chunk, int index);
    /// Why the current row is no record, in words; empty when it is one or there is none.
    void currentNoteChanged(const QString &note);
    void copyToComposerRequested(const topicscope::RecordContent &content,
                                 const topicscope::TopicPartition &partition);
    /// The user wants to; see exportSubject().
    void exportRequested();
    /// An expression to search partitions for.
    void searchRequested(const QString &expression);
    void redriveRequested();
    /// The user chose another one.
    void isolationChosen(topicscope::Isolation isolation);
    /// The user chose a format by its name; it is not in use yet. "auto": as it seems to be.
    void formatChosen(topicscope::PayloadPart part, const QString &name);
    /// What setFormatProblem() told is to be tried again.
    void formatRetryRequested();
    /// Following, paused, connection state or capabilities changed.
    void stateChanged();
    void titleChanged(const QString &title);
    /// The first rows after open() are shown, or the reason why there are none.
    void loaded();
    /// After that: the map beside them shows all it is going to, or there is none.
    void mapFilled();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace topicscope::ui
