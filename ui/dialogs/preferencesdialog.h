#pragma once

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QSpinBox;

namespace topicscope::ui
{

class TimeZoneBox;
class UiSettings;

/// How much memory a tab may hold, how much one fetch asks for, the time zone and the colours.
/// Writes to the settings when it is accepted; whoever opened it then applies them. Thread: GUI.
class PreferencesDialog final : public QDialog
{
    Q_OBJECT
public:
    /// `settings` must outlive the dialog.
    explicit PreferencesDialog(UiSettings *settings, QWidget *parent = nullptr);

    void accept() override;

private:
    UiSettings *m_settings;
    QSpinBox *m_held;
    QSpinBox *m_maxBytes;
    TimeZoneBox *m_timeZone;
    QComboBox *m_colors;
    QDialogButtonBox *m_buttons;
};

} // namespace topicscope::ui
