#pragma once

#include <QDialog>

class QComboBox;
class QSpinBox;

namespace topicscope::ui
{

class UiSettings;

/// How much memory a tab may hold, how much one fetch asks for, and the colours. Writes to the
/// settings when it is accepted; whoever opened it then applies them. Thread: GUI.
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
    QComboBox *m_colors;
};

} // namespace topicscope::ui
