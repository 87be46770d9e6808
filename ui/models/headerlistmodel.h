#pragma once

#include "core/records/headers.h"

#include <QAbstractTableModel>

#include <vector>

namespace topicscope::ui
{

/// A record's headers while they are edited: ordered, names may repeat, a value may be null. What
/// is in it are always bytes; text that gives none (wrong hex) is refused and changes nothing.
class HeaderListModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { NameColumn, FormColumn, ValueColumn, ColumnCount };
    /// How a value is written.
    enum class Form { Null, Text, Hex };
    enum Role : int {
        FormRole = Qt::UserRole + 1, ///< Form, of any column
    };

    using QAbstractTableModel::QAbstractTableModel;

    const HeaderList &headers() const { return m_headers; }
    /// Values are shown as text where that shows every byte, else as hex.
    void setHeaders(const HeaderList &headers);
    /// Appends a header without a name and with an empty value; returns its row.
    int add();
    void remove(int row);
    /// Up (-1) or down (1) by one; false at either end.
    bool move(int row, int by);

    static QString formName(Form form);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    /// A form is set by FormRole, keeping the bytes where it can show them. @return false: refused.
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

signals:
    void changed();
    /// What was typed was not taken, and why.
    void refused(const QString &why);

private:
    bool setName(int row, const QString &text);
    bool setForm(int row, Form form);
    bool setValue(int row, const QString &text);
    QString valueText(int row) const;

    HeaderList m_headers;
    std::vector<Form> m_forms; ///< one a header
};

} // namespace topicscope::ui
