#pragma once

#include "core/records/payloadcodec.h"
#include "ui/backgroundrun.h"

#include <QWidget>

#include <functional>
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

/// What a payload is shown as.
struct ShownPayload {
    QString about;                                ///< the line above; empty: there is none
    std::shared_ptr<const QByteArray> drawn = {}; ///< in UTF-8; null: the payload as it is
    std::optional<qint64> byte = {};              ///< of the payload as it is: what to mark
    bool lacksSchema = false;                     ///< another time it may be shown better
};

/// A payload as text, with a line above where there is something to say about it. A large one is
/// written out on another thread, and given up when another is to be shown. Thread: GUI.
class TextPage final : public QWidget
{
    Q_OBJECT
public:
    /// The view's object name is `name` + "View", the line's `name` + "State".
    explicit TextPage(const QString &name, QWidget *parent = nullptr);

    TextView *view() const { return m_view; }
    /// A line above all.
    void addAbove(QWidget *widget);
    void clear();
    bool lacksSchema() const { return m_lacksSchema; }
    /// In this format; nullptr: in the one it seems to be, which is said where it is not plain
    /// text.
    void showText(const InspectedPayload &payload,
                  const std::shared_ptr<const PayloadCodec> &format, const PayloadContext &context);
    /// As JSON laid out, or why it is none. What stands behind a schema's id may be JSON, too.
    void showJson(const InspectedPayload &payload);

private:
    using Work = std::function<ShownPayload(const std::stop_token &)>;

    void run(const InspectedPayload &payload, const Work &work);
    void show(const InspectedPayload &payload, const ShownPayload &shown);
    /// Empty: nothing.
    void say(const QString &text);
    /// Says so when there is nothing to show. @return whether that is so
    bool isNothing(const InspectedPayload &payload);
    void showAsItIs(const InspectedPayload &payload);

    QLabel *m_state;
    TextView *m_view;
    bool m_lacksSchema = false;
    BackgroundRun<ShownPayload> m_run;
};

} // namespace topicscope::ui
