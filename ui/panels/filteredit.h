#pragma once

#include "core/search/filter.h"

#include <QLineEdit>

#include <optional>

namespace topicscope::ui
{

/// A line for an expression of the filter language: checked as it is typed, with what is wrong
/// underlined. Thread: GUI.
class FilterEdit final : public QLineEdit
{
    Q_OBJECT
public:
    explicit FilterEdit(QWidget *parent = nullptr);

    /// Nullopt where it is empty or no expression.
    const std::optional<search::Filter> &filter() const { return m_filter; }
    /// Nullopt where it is empty or right.
    const std::optional<search::SyntaxError> &error() const { return m_error; }
    /// "Column 5: …"; empty without an error.
    QString errorText() const;
    bool isBlank() const { return text().trimmed().isEmpty(); }
    /// The same with times as of now: "@-1h" counts from here on.
    std::optional<search::Filter> filterNow() const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void check();

    std::optional<search::Filter> m_filter;
    std::optional<search::SyntaxError> m_error;
};

} // namespace topicscope::ui
