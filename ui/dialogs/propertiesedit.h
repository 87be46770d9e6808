#pragma once

#include <QMap>
#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;
class QTableWidget;

namespace topicscope
{
class PropertyCatalog;
}

namespace topicscope::ui
{

/// Free properties of an engine as a small table: names are completed and explained from the
/// catalog, and every pair is checked as it is entered. The last row is empty, for the next one.
class PropertiesEdit final : public QWidget
{
    Q_OBJECT
public:
    /// @param catalog  may be null: nothing is known then, and nothing checked
    explicit PropertiesEdit(const PropertyCatalog *catalog, QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(PropertiesEdit)

    void setProperties(const QMap<QString, QString> &properties);
    QMap<QString, QString> properties() const;
    /// Of the first pair that is wrong; empty when none is.
    QString problem() const;
    /// Of what is right, and still to be known before one connects; empty: nothing is.
    QString warning() const;

signals:
    void changed();

private:
    QString text(int row, int column) const;
    QString problemOf(int row) const;
    void addRow(const QString &name, const QString &value);
    void removeRow();
    void onItemChanged();
    void explain();

    const PropertyCatalog *m_catalog;
    QTableWidget *m_table;
    QPushButton *m_remove;
    QLabel *m_explanation;
};

} // namespace topicscope::ui
