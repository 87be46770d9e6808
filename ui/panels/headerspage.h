#pragma once

#include "core/records/headers.h"
#include "core/records/recordchunk.h"

#include <QSplitter>

class QTreeWidget;

namespace topicscope::ui
{

class HexView;

/// A record's headers in their order, and the bytes of the one selected. Names and values that are
/// no UTF-8 stand as hex digits; null and empty are told apart. Thread: GUI.
class HeadersPage final : public QSplitter
{
    Q_OBJECT
public:
    explicit HeadersPage(QWidget *parent = nullptr);

    void clear();
    void showHeaders(const RecordChunk &chunk, const Record &record);
    HexView *bytesView() const { return m_bytes; }

private:
    void showCurrent();
    void copyCurrent(bool asHex);
    void copyAll();

    QTreeWidget *m_table;
    HexView *m_bytes;
    HeaderList m_headers;
};

} // namespace topicscope::ui
