#pragma once

#include "core/doctor/doctor.h"

#include <QDialog>

class QPushButton;
class QTreeWidget;

namespace topicscope::ui
{

class DoctorRun;
class OutcomeLabel;

/// Examines a connection while it is open: each step with its time and what was found and, for one
/// that failed, what to do next. Thread: GUI.
class DoctorDialog final : public QDialog
{
    Q_OBJECT
public:
    /// Starts at once. `config` holds the secrets it needs; none of them is shown.
    DoctorDialog(const SessionFactory &factory, SessionConfig config, QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(DoctorDialog)

    /// Opens one above `parent`; it goes when it is closed.
    static void open(const SessionFactory &factory, const SessionConfig &config, QWidget *parent);

private:
    void buildLayout();
    void start();
    void toggle();
    void copy();
    void onChecked(const doctor::Check &check);
    void onFinished(bool complete, bool passed, const Error &error);

    SessionConfig m_config;
    DoctorRun *m_run;
    QTreeWidget *m_steps;
    OutcomeLabel *m_outcome;
    QPushButton *m_again;
    QPushButton *m_copy;
    QStringList m_report; ///< what copy() copies, a line a step
};

} // namespace topicscope::ui
