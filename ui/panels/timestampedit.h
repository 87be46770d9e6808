#pragma once

#include <QWidget>

#include <optional>

class QComboBox;
class QDateTimeEdit;
class QLineEdit;
class QStackedWidget;

namespace topicscope::ui
{

/// Sets a record's time: that of sending, a date in the zone times are shown in, or milliseconds
/// since 1970, which may be anything 64 bits hold. Changing between the last two keeps the time
/// where both can show it.
class TimestampEdit final : public QWidget
{
    Q_OBJECT
public:
    explicit TimestampEdit(QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(TimestampEdit)

    /// In ms since 1970; nullopt: when it is sent.
    std::optional<qint64> timestampMs() const;
    void setTimestampMs(std::optional<qint64> ms);
    /// Whether it can be sent: milliseconds are a whole number.
    bool isValid() const;

signals:
    void changed();

protected:
    void changeEvent(QEvent *event) override;

private:
    enum class Mode { Now, Date, Milliseconds };

    Mode mode() const;
    void showMode(Mode mode);
    void onModeChosen();
    void nameZone();
    qint64 dateMs() const;

    QComboBox *m_mode;
    QStackedWidget *m_pages;
    QDateTimeEdit *m_date;
    QLineEdit *m_ms;
    qint64 m_last = 0; ///< the last time set or typed
};

} // namespace topicscope::ui
