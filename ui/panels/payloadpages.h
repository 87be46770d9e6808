#pragma once

#include "core/base/result.h"
#include "core/records/payloadcodec.h"

#include <QFutureWatcher>
#include <QWidget>

#include <memory>
#include <optional>
#include <span>

class QLabel;

namespace topicscope::ui
{

class TextView;

/// A key or a value, and what keeps its bytes alive.
struct InspectedPayload {
    std::optional<std::span<const std::byte>> bytes; ///< nullopt: null
    std::shared_ptr<const void> owner;
};

/// A payload as text, with a line above where there is something to say about it. Thread: GUI.
class TextPage : public QWidget
{
    Q_OBJECT
public:
    /// The view's object name is `name` + "View", the line's `name` + "State".
    explicit TextPage(const QString &name, QWidget *parent = nullptr);

    TextView *view() const { return m_view; }
    virtual void clear();
    /// In this format; nullptr: in the one it seems to be, which is said where it is not plain
    /// text.
    void showText(const InspectedPayload &payload, const PayloadCodec *format,
                  const PayloadContext &context);

protected:
    /// Empty: nothing.
    void say(const QString &text);
    /// Says so when there is nothing to show. @return whether that is so
    bool isNothing(const InspectedPayload &payload);
    void showDrawn(const QString &text);

private:
    QLabel *m_state;
    TextView *m_view;
};

/// A payload as JSON laid out, or why it is none; large ones are laid out off the GUI thread.
/// Thread: GUI.
class JsonPage final : public TextPage
{
    Q_OBJECT
public:
    using TextPage::TextPage;

    void clear() override;
    void showJson(const InspectedPayload &payload);

private:
    void showLaidOut(const InspectedPayload &payload, const Result<QString> &text);

    std::unique_ptr<QFutureWatcher<Result<QString>>> m_watcher;
};

} // namespace topicscope::ui
