#pragma once

#include "core/records/logplace.h"
#include "core/records/recordaxis.h"
#include "ui/models/flagscan.h"
#include "ui/models/placefinder.h"
#include "ui/models/recordfeed.h"
#include "ui/models/recordloader.h"
#include "ui/models/recordtablemodel.h"
#include "ui/panels/recordpanel.h"

#include <QElapsedTimer>
#include <QTimer>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QToolButton;

namespace topicscope::ui
{

class Banner;
class ColumnLayout;
class FloatingLabel;
class LogSampler;
class OffsetScrollBar;
class PartitionMap;
class RecordBar;
class RecordTableView;

/// The inside of RecordPanel: recordpanelparts.cpp has the widgets, recordpanel.cpp what they show,
/// recordpanelgo.cpp where one goes, recordpanelscroll.cpp the scroll bar, recordpanelmap.cpp the
/// map, recordpanelfilter.cpp the filter, recordpanelfollow.cpp following, recordpanelcopy.cpp
/// copying, recordpanelcompare.cpp comparing.
class RecordPanel::Private
{
public:
    Private(RecordPanel *panel, SessionFactory sessionFactory, SessionConfig sessionConfig);

    /// What to select once rows are shown. Nothing asked for: the newest.
    struct Wanted {
        std::optional<PartitionId> partition;
        std::optional<LogPlace> target;
    };
    /// Offsets of each partition: the first, and the first behind them.
    using RowRanges = std::map<PartitionId, std::pair<Offset, Offset>>;
    /// A place the bar or the map was dragged to.
    struct Jump {
        RecordAxis::Place place;
        bool toEnd = false;
    };

    // Parts and what is shown.
    void buildWidgets();
    void addActions();
    void chooseOrder();
    void setColumns();
    void updateHeader();
    void updateStatus();
    void updatePlaceholder();
    void onCurrentChanged();
    void onShown();
    void onFailed(const Error &error);
    void retry();
    void loadNear(bool older);
    std::vector<RowRef> selectedRows() const;
    std::vector<RecordColumn> shownColumns() const;
    RowRef currentRow() const; ///< block null when there is none

    // The filter.
    std::optional<QString> currentCellFilter();
    void addFilter(const QString &expression);
    QString filterText() const;

    // Going places.
    void goTo(const LogPlace &target);
    void onPlacesFound();
    void goToFoundTime();
    void goToFoundRange();
    void selectChosen();
    void arriveWith(const QString &text);
    RowRanges rowsOf(const PlaceFinder &places) const;
    bool selectLoaded(PartitionId partition, Offset offset);
    void show(RecordLoader::Where where);
    void settle();
    const RecordLoader::Part &partNearest(const Wanted &asked) const;
    void prepareShow();
    void cancelLoading();
    void findFlagged(FlagScan::Direction direction);
    std::vector<FlagScan::Range> rangesOutside(FlagScan::Direction direction) const;
    void onScanFound(const TopicPartition &partition, Offset offset);
    void say(const QString &text);

    // What "go to" would do.
    void preview(const QString &text);
    QString placeText(const PlaceFinder &places) const;
    QString timeText(const PlaceFinder &places) const;
    QString rangeText(const PlaceFinder &places) const;
    QString noPlace() const;

    // The scroll bar over all offsets.
    void connectScrollBar();
    RecordAxis axis() const;
    qint64 mergedPosition(int row) const;
    std::optional<RecordAxis::Place> placeOf(qint64 position) const;
    void updateScrollBar();
    void onDragged(qint64 position);
    void onDragEnded();
    void jumpWhen(const Jump &jump);
    void jumpIfDue();
    void showDragLabel();

    // The map.
    void openMap();
    void tellMap();
    void updateMap();

    // Comparing.
    ComparedRecord compared(const RowRef &row) const;
    void onPreviousFound(const TopicPartition &where, Offset offset);

    // Reading: formats and isolation.
    void addFormatMenus();
    void showAgain();

    // Following.
    void setFollowing(bool on);
    void startFeed();
    void openFeed();
    void stopFeed();
    void dropFeed();
    void onLogShortened(const QString &what);
    void onArrived(const std::vector<FetchResult> &results);
    void updateHeld();
    qint64 behind() const;

    RecordPanel *const q;
    const SessionFactory factory;
    const SessionConfig config;
    SessionHandle session;
    RecordTableModel model;
    RecordLoader loader;
    FlagScan scan;

    QLabel *titleLabel = nullptr;
    QLabel *header = nullptr;
    RecordBar *bar = nullptr;
    Banner *banner = nullptr;
    Banner *formatBanner = nullptr;
    QString formatProblem; ///< what it is about
    RecordTableView *view = nullptr;
    OffsetScrollBar *scrollBar = nullptr;
    QHBoxLayout *middle = nullptr;
    PartitionMap *map = nullptr; ///< while it is shown, as its sampler
    std::unique_ptr<LogSampler> sampler;
    std::shared_ptr<const MarkedOffsets> hits; ///< of a search in this topic
    FloatingLabel *dragLabel = nullptr;        ///< beside the thumb while it is dragged
    ColumnLayout *columns = nullptr;
    QLabel *status = nullptr;
    QToolButton *cancelButton = nullptr;
    QAction *fetchWholeAction = nullptr;
    QAction *previousAction = nullptr;

    Isolation isolation = Isolation::ReadUncommitted;
    TopicInfo topic;
    std::optional<PartitionId> partition;
    bool isLoaded = false;
    bool isMapFilled = false;
    QString filterNote; ///< why the filter's text is no expression
    QString message;    ///< the last thing said in the status line
    QTimer justSaid;    ///< while it shows beside what stands there anyway
    Error lastFailure;  ///< what the banner is about

    std::optional<Jump> jump; ///< where the thumb is and the window is not yet
    bool jumping = false;     ///< its rows are being loaded
    QTimer jumpTimer;
    QElapsedTimer sinceJump;
    ComparedRecord withPrevious; ///< whose predecessor is looked for

    std::optional<Wanted> wanted;
    QString arrival;       ///< what to say about the place once its rows are shown
    PlaceFinder finder;    ///< of the place gone to
    RowRanges chosen;      ///< rows to select when they are there
    PlaceFinder previewed; ///< of the place typed
    LogRange previewRange;
    QTimer previewDelay;

    std::unique_ptr<RecordFeed> feed;
    bool following = false;
    bool paused = false;
    QString cutBack;          ///< what became shorter while it was followed, in words
    qint64 received = 0;      ///< rows followed since it began
    bool readingBack = false; ///< the window is full and its beginning is being read
    QTimer everySecond;       ///< while following: rate and distance
};

} // namespace topicscope::ui
