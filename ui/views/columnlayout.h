#pragma once

#include <QObject>
#include <QStringList>

#include <vector>

class QHeaderView;
class QMenu;

namespace topicscope::ui
{

/// The columns of a table or tree as the user arranged them: their order, their widths, and which
/// are hidden. Columns are known by name, not by number: those a table has depend on the engine,
/// and what was arranged for one that is absent now is kept.
///
/// The header gets a context menu; fillMenu() puts the same into another one, for the keyboard.
/// Thread: GUI.
class ColumnLayout final : public QObject
{
    Q_OBJECT
public:
    struct Column {
        QString name; ///< stays the same over versions and languages; letters and digits
        int width = 0;
        bool hidden = false; ///< as long as nobody showed it
    };

    /// Becomes a child of the header.
    explicit ColumnLayout(QHeaderView *header);

    /// The model's columns, section by section, with their widths as long as nobody changed them.
    /// To be called whenever the model's columns are others.
    void setColumns(const std::vector<Column> &columns);

    /// One entry for each column: "name:width", "-name:width" when hidden; empty: as by default.
    const QStringList &state() const { return m_state; }
    /// Entries that are none are ignored. Does not emit changed().
    void setState(const QStringList &state);
    /// Back to default.
    void reset();

    /// Adds what can be done with the columns. @param section  the column it is about, for moving
    /// and sizing; -1: that of the view's current cell
    void fillMenu(QMenu *menu, int section = -1);

signals:
    /// The user changed something: state() is another one.
    void changed();

private:
    struct Arranged {
        QString name;
        int width = 0; ///< 0: the default
        bool hidden = false;
    };

    static std::vector<Arranged> parsed(const QStringList &state);
    int sectionOf(const QString &name) const; ///< -1 when absent
    std::vector<Arranged> arranged() const;   ///< all known columns, in order
    void apply();
    void rearranged();
    void capture(bool withWidths);
    void setHidden(int section, bool hidden);
    void move(int section, int step);
    void resize(int section, int width);
    int neighbour(int section, int step) const; ///< the next visible one; -1 when there is none
    int currentSection() const;

    QHeaderView *m_header;
    std::vector<Column> m_columns; ///< by section
    QStringList m_state;
    bool m_applying = false;
};

} // namespace topicscope::ui
