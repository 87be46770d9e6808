#pragma once

#include "core/search/search.h"
#include "core/session/topicinfo.h"
#include "ui/models/exportsubject.h"
#include "ui/models/hitmodel.h"
#include "ui/models/topictreemodel.h"

#include <QWidget>

#include <optional>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTabWidget;
class QTableView;

namespace topicscope::ui
{

class ElidedLabel;
class FilterEdit;
class LedgerModel;
class SearchRun;

/// What a search is about: a topic of a connection, as it is looked at.
struct SearchPlace {
    ConnectionId connection{};
    SessionConfig config;
    TopicInfo topic;
    Capabilities capabilities;
    RecordFormats formats = {};
    Isolation isolation = Isolation::ReadUncommitted;
};

/// Searches partitions of a topic for what an expression says, on threads and connections of its
/// own, and accounts for every offset it was to look at. Hits are a table whose rows lead to their
/// place; the ledger says of each partition what was searched, and why not. A search can be
/// stopped and gone on with, also after the broker was lost.
///
/// A new search is about the place looked at; what is shown stays about the one it was begun with.
///
/// Thread: GUI. Nothing here waits.
class SearchPanel final : public QWidget
{
    Q_OBJECT
public:
    explicit SearchPanel(SessionFactory factory, QWidget *parent = nullptr);
    ~SearchPanel() override;
    Q_DISABLE_COPY_MOVE(SearchPanel)

    /// Nullopt: nothing to search.
    void lookAt(const std::optional<SearchPlace> &place);
    /// The expression is tried on this record as it is typed; null: none is selected.
    void setSelected(const RecordChunkPtr &chunk, int index);
    /// Of its searches nothing is left.
    void forget(ConnectionId connection);

    void focusExpression();
    /// Puts it there and searches where that is possible.
    void searchFor(const QString &expression);
    void search();
    void stop();
    void resume();

    /// Goes to the next (1) or previous (-1) hit, counted from a place in the topic searched or,
    /// with nullopt, from the hit gone to last.
    void step(int step, const std::optional<std::pair<TopicPartition, Offset>> &from);
    bool hasHits() const;
    /// The hits held and those selected, to be read again; hasHits().
    ExportSubject exportSubject() const;
    bool isAbout(ConnectionId connection, const QString &topic) const;

    /// Where hits are, for whoever shows the topic searched.
    struct Hits {
        ConnectionId connection{};
        QString topic;
        MarkedOffsets places;
    };
    Hits hits() const;

signals:
    /// A hit's place is to be shown.
    void openRequested(topicscope::ui::ConnectionId connection,
                       const topicscope::TopicPartition &partition, topicscope::Offset offset);
    /// hits() are others.
    void hitsChanged();
    /// The user wants to; see exportSubject().
    void exportRequested();
    /// Something the user should know, in words.
    void noticed(const QString &text);

private:
    void buildWidgets();
    QWidget *buildForm();
    void wire();

    std::optional<search::SearchScope> scope() const;
    std::optional<QList<TopicPartition>> partitions() const;
    void updateForm();
    void updateCheck();
    void updateRun();
    void updateHits();
    QString progressText() const;
    QString runText() const;
    void openHit(int row);

    SearchRun *m_run;
    HitModel *m_hits;
    LedgerModel *m_ledger;
    std::optional<SearchPlace> m_place;    ///< of the next search
    std::optional<SearchPlace> m_searched; ///< of this one
    RecordChunkPtr m_selected;
    int m_selectedIndex = -1;

    FilterEdit *m_expression = nullptr;
    QLabel *m_topic = nullptr;
    QComboBox *m_partitions = nullptr;
    QComboBox *m_scope = nullptr;
    QLineEdit *m_newest = nullptr;
    QLineEdit *m_from = nullptr;
    QLineEdit *m_to = nullptr;
    QWidget *m_range = nullptr;
    QPushButton *m_search = nullptr;
    QPushButton *m_stop = nullptr;
    QPushButton *m_resume = nullptr;
    ElidedLabel *m_check = nullptr;
    ElidedLabel *m_status = nullptr;
    QProgressBar *m_progress = nullptr;
    QTabWidget *m_tabs = nullptr;
    QAction *m_showHit = nullptr;
    QAction *m_exportHits = nullptr;
    QTableView *m_hitTable = nullptr;
    QTableView *m_ledgerTable = nullptr;
};

} // namespace topicscope::ui
