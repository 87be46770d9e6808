#pragma once

#include "core/records/logmap.h"
#include "core/records/recordcontent.h"
#include "core/session/brokersession.h"
#include "ui/models/comparedrecord.h"
#include "ui/models/topictreemodel.h"
#include "ui/settings/uisettings.h"
#include "ui/topicformats.h"

#include <QHash>
#include <QPointer>
#include <QStackedWidget>

#include <map>
#include <memory>

class QTabWidget;

namespace topicscope::ui
{

class RecordPanel;

/// The middle of the window: one tab for each partition or topic that is open, or what to do when
/// there is none. Thread: GUI.
class RecordTabs final : public QStackedWidget
{
    Q_OBJECT
public:
    /// `settings` must outlive this; it has the limits and how the columns are arranged.
    RecordTabs(SessionFactory factory, UiSettings *settings, QWidget *parent = nullptr);
    ~RecordTabs() override;
    Q_DISABLE_COPY_MOVE(RecordTabs)

    /// Shows the tab of this partition (or whole topic), opening it when there is none.
    /// @param at  where to go; nullopt: an open tab stays where it is, a new one shows the newest.
    RecordPanel *open(ConnectionId connection, const SessionConfig &config, const TopicInfo &topic,
                      std::optional<PartitionId> partition, std::optional<Offset> at = {});

    /// Shows a partition or whole topic in passing: in its tab when it has one, else in one that
    /// the next preview takes the place of. open() makes it stay, and so does following in it.
    void preview(ConnectionId connection, const SessionConfig &config, const TopicInfo &topic,
                 std::optional<PartitionId> partition);

    /// What is looked at in a tab: a record, or the reason why the row is none.
    struct Looked {
        RecordChunkPtr chunk;
        int index = -1;
        QString note;
        RecordFormats formats = {};
    };

    RecordPanel *current() const; ///< null without a tab
    Looked looked() const;        ///< in the current tab
    std::optional<ConnectionId> connectionOf(const RecordPanel *panel) const;
    /// What is open, or of it what belongs to one connection. The current tab last, so that opening
    /// them in turn leads to the same picture.
    std::vector<Place> places(std::optional<ConnectionId> of = {}) const;

    /// Memory and max bytes of all tabs, from the settings.
    void applySettings();

    /// A format of the current tab's connection; null: as it seems to be.
    std::shared_ptr<const PayloadCodec> formatNamed(const QString &name);
    /// What a search has found; shown by the tabs of this topic, those opened later, too.
    void showHits(ConnectionId connection, const QString &topic, MarkedOffsets hits);

    void closeCurrent();
    void closeConnection(ConnectionId connection);
    /// See RecordPanel::reconnect().
    void reconnect(ConnectionId connection);
    void showNextTab(int step);

signals:
    void searchRequested(const QString &expression);
    void currentChanged(topicscope::ui::RecordPanel *panel);
    /// looked() of the current tab is another one.
    void lookedChanged();
    /// State (following, paused, flags, connection, how it is read) of the current tab changed.
    void stateChanged();
    /// The first rows of a tab, or the reason why there are none, are shown.
    void loaded(topicscope::ui::RecordPanel *panel);
    /// The map beside them shows all it is going to, or there is none.
    void mapFilled(topicscope::ui::RecordPanel *panel);
    void exportRequested(topicscope::ui::RecordPanel *panel);
    void compareRequested(const topicscope::ui::ComparedRecord &left,
                          const topicscope::ui::ComparedRecord &right);
    void markRequested(const topicscope::ui::ComparedRecord &record);
    void compareWithMarkedRequested(const topicscope::ui::ComparedRecord &record);
    void redriveRequested(topicscope::ui::RecordPanel *panel);
    void copyToComposerRequested(const topicscope::RecordContent &content,
                                 const topicscope::TopicPartition &partition);

private:
    void closeTab(int index);
    void onCurrentChanged();
    RecordPanel *panel(int index) const;
    void wire(RecordPanel *panel);
    void applySettings(RecordPanel *panel) const;
    void readAsBefore(RecordPanel *panel, const SessionConfig &config);
    TopicFormats &formatsOf(ConnectionId connection, const SessionConfig &config);
    void applyFormats(RecordPanel *panel);
    void setFormat(const RecordPanel *panel, PayloadPart part, const QString &name);
    void showHits(RecordPanel *panel) const;
    void onColumnsChanged(const RecordPanel *changed);

    SessionFactory m_factory;
    UiSettings *m_settings;
    QPointer<RecordPanel> m_preview;
    QTabWidget *m_tabs;
    QHash<const RecordPanel *, Looked> m_looked;
    std::map<ConnectionId, std::unique_ptr<TopicFormats>> m_formats;
    struct {
        ConnectionId connection{};
        QString topic;
        std::shared_ptr<const MarkedOffsets> offsets;
    } m_hits;
};

} // namespace topicscope::ui
