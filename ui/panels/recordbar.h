#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QTimer;
class QToolButton;

namespace topicscope::ui
{

class FloatingLabel;

/// The line above a record table: go to, flagged, follow, filter. Shows what it is told and says
/// what was asked for; decides nothing. Thread: GUI.
class RecordBar final : public QWidget
{
    Q_OBJECT
public:
    explicit RecordBar(QWidget *parent = nullptr);

    void setFollowing(bool following, bool paused);
    void setFlaggedCount(int flagged);
    /// Whether "go to" understands times, as its texts then say.
    void setTakesTimes(bool takes);
    /// Shown where there are transactions.
    void setCommittedOnly(bool offered, bool committedOnly);
    void focusGoTo();
    void focusFilter();
    void clearFilter();
    QString filterText() const;
    void setFilterText(const QString &text);
    /// What is typed into "go to" is; shown below it while it is typed into.
    void setPreview(const QString &text);

signals:
    void goToEdited(const QString &where);
    void goToRequested(const QString &where);
    void firstRequested();
    void lastRequested();
    void nextFlaggedRequested();
    void previousFlaggedRequested();
    void followToggled(bool following);
    void pauseToggled(bool paused);
    void committedOnlyToggled(bool committedOnly);
    void filterChanged(const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QLineEdit *m_goTo;
    FloatingLabel *m_preview;
    QToolButton *m_flagged;
    QToolButton *m_follow;
    QToolButton *m_pause;
    QToolButton *m_committed;
    QLineEdit *m_filter;
    QTimer *m_filterDelay;
};

} // namespace topicscope::ui
