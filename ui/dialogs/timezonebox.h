#pragma once

#include "core/records/timestyle.h"

#include <QComboBox>

namespace topicscope::ui
{

/// Chooses how times are written: UTC, local, milliseconds, or a zone by its name, found by typing
/// a part of it. Thread: GUI.
class TimeZoneBox final : public QComboBox
{
    Q_OBJECT
public:
    explicit TimeZoneBox(QWidget *parent = nullptr);

    void setTimeStyle(const TimeStyle &style);
    /// nullopt: what is typed names no zone.
    std::optional<TimeStyle> timeStyle() const;
};

} // namespace topicscope::ui
