#pragma once

#include "ui/backgroundrun.h"
#include "ui/models/comparedrecord.h"

#include <QDialog>

#include <memory>

class QLabel;
class QTabBar;
class QTableView;
class QToolButton;

namespace topicscope::ui
{

class DiffModel;
struct SideBySide;

/// Two records side by side: as text, as JSON whatever the order of members, as bytes, and their
/// headers in order. What differs is found off the GUI thread. Thread: GUI.
class CompareDialog final : public QDialog
{
    Q_OBJECT
public:
    enum class Page { Text, Json, Bytes, Headers };

    CompareDialog(ComparedRecord left, ComparedRecord right, QWidget *parent = nullptr);
    ~CompareDialog() override;
    Q_DISABLE_COPY_MOVE(CompareDialog)

    void setPage(Page page);
    void setPart(PayloadPart part);

private:
    void build();
    QLabel *heading(const ComparedRecord &record, const QString &name);
    void compare();
    void showBoth(const std::shared_ptr<const SideBySide> &both);
    void goToDifference(int step);
    void copyCurrent();
    void updateSummary();

    ComparedRecord m_left;
    ComparedRecord m_right;
    PayloadPart m_part = PayloadPart::Value;
    DiffModel *m_model;
    QTableView *m_view;
    QTabBar *m_tabs;
    QToolButton *m_key;
    QToolButton *m_value;
    QToolButton *m_previous;
    QToolButton *m_next;
    QLabel *m_note;
    QLabel *m_summary;
    BackgroundRun<std::shared_ptr<const SideBySide>> m_run;
};

} // namespace topicscope::ui
