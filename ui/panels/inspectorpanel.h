#pragma once

#include "core/records/recordchunk.h"
#include "core/session/capabilities.h"
#include "ui/models/recordtext.h"

#include <QWidget>

#include <functional>
#include <memory>

namespace topicscope::ui
{

/// One record looked at closely: its value or key as text, as JSON laid out, and as bytes; its
/// headers; and the frame it was stored in with each field named. Only what is visible is ever
/// turned into text, so the size of a payload does not matter; large JSON is laid out off the GUI
/// thread. Thread: GUI.
class InspectorPanel final : public QWidget
{
    Q_OBJECT
public:
    explicit InspectorPanel(QWidget *parent = nullptr);
    ~InspectorPanel() override;
    Q_DISABLE_COPY_MOVE(InspectorPanel)

    enum class Tab { Text, Json, Hex, Headers, Frame };
    void setCurrentTab(Tab tab);
    /// Where formats come from that are chosen here for one record, by their names.
    using FormatSource = std::function<std::shared_ptr<const PayloadCodec>(const QString &name)>;
    void setFormatSource(FormatSource source);

public slots:
    /// Nothing is selected: chunk null or index -1. The same record again: what lacked its schema
    /// is shown anew.
    void showRecord(topicscope::RecordChunkPtr chunk, int index,
                    const topicscope::Capabilities &capabilities,
                    const topicscope::ui::RecordFormats &formats = {});
    /// Why there is no record to show, e.g. that it was larger than max bytes.
    void showNote(const QString &note);

signals:
    /// The format chosen for a record is wanted for all keys or values of its topic.
    void formatChosen(topicscope::PayloadPart part, const QString &name);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace topicscope::ui
