#include "ui/models/headerlistmodel.h"

#include "core/base/bytewriter.h"
#include "core/records/payloadformat.h"

#include <algorithm>
#include <utility>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// Whether a one-line text field shows these bytes and gives them back.
bool isPlainText(const QByteArray &bytes)
{
    const auto span = asBytes(bytes);
    return isValidUtf8(span) && textView(span, 0, bytes.size()).text == utf8Text(span);
}

HeaderListModel::Form formOf(const RecordHeader &header)
{
    if (!header.value)
        return HeaderListModel::Form::Null;
    return isPlainText(*header.value) ? HeaderListModel::Form::Text : HeaderListModel::Form::Hex;
}

} // namespace

void HeaderListModel::setHeaders(const HeaderList &headers)
{
    beginResetModel();
    m_headers = headers;
    m_forms.clear();
    for (const RecordHeader &header : headers)
        m_forms.push_back(formOf(header));
    endResetModel();
    emit changed();
}

int HeaderListModel::add()
{
    const auto row = int(m_headers.size());
    beginInsertRows({}, row, row);
    m_headers.append({QByteArray(""), QByteArray("")});
    m_forms.push_back(Form::Text);
    endInsertRows();
    emit changed();
    return row;
}

void HeaderListModel::remove(int row)
{
    if (row < 0 || row >= rowCount())
        return;
    beginRemoveRows({}, row, row);
    m_headers.removeAt(row);
    m_forms.erase(m_forms.begin() + row);
    endRemoveRows();
    emit changed();
}

bool HeaderListModel::move(int row, int by)
{
    const int to = row + by;
    if (row < 0 || row >= rowCount() || to < 0 || to >= rowCount() || std::abs(by) != 1)
        return false;
    beginMoveRows({}, row, row, {}, by > 0 ? to + 1 : to);
    m_headers.insert(to, m_headers.takeAt(row));
    std::swap(m_forms[size_t(row)], m_forms[size_t(to)]);
    endMoveRows();
    emit changed();
    return true;
}

QString HeaderListModel::formName(Form form)
{
    switch (form) {
    case Form::Null:
        return tr("null");
    case Form::Text:
        return tr("text");
    case Form::Hex:
        return tr("hex");
    }
    return {};
}

int HeaderListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_headers.size());
}

int HeaderListModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QString HeaderListModel::valueText(int row) const
{
    const auto &value = m_headers[row].value;
    if (!value)
        return {};
    return m_forms[size_t(row)] == Form::Hex ? QString::fromLatin1(value->toHex(' '))
                                             : utf8Text(asBytes(*value));
}

QVariant HeaderListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RecordHeader &header = m_headers[index.row()];
    const Form form = m_forms[size_t(index.row())];
    if (role == FormRole)
        return QVariant::fromValue(form);
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    switch (index.column()) {
    case NameColumn:
        return role == Qt::DisplayRole ? previewText(asBytes(header.name))
                                       : utf8Text(asBytes(header.name));
    case FormColumn:
        return formName(form);
    case ValueColumn:
        // Long ones are cut for the eye alone.
        return role == Qt::DisplayRole ? valueText(index.row()).left(kPreviewBytes)
                                       : valueText(index.row());
    default:
        return {};
    }
}

bool HeaderListModel::setName(int row, const QString &text)
{
    m_headers[row].name = text.toUtf8();
    return true;
}

bool HeaderListModel::setForm(int row, Form form)
{
    auto &value = m_headers[row].value;
    if (form == Form::Text && value && !isPlainText(*value)) {
        emit refused(tr("These bytes are no text: as text they would not stay the same."));
        return false;
    }
    if (form == Form::Null)
        value = std::nullopt;
    else if (!value)
        value = QByteArray("");
    m_forms[size_t(row)] = form;
    return true;
}

bool HeaderListModel::setValue(int row, const QString &text)
{
    Form &form = m_forms[size_t(row)];
    if (form == Form::Hex) {
        auto bytes = parseHex(text);
        if (!bytes) {
            emit refused(tr("Header %1: no hex: %2.").arg(row + 1).arg(bytes.error().detail));
            return false;
        }
        m_headers[row].value = std::move(bytes).value();
        return true;
    }
    if (form == Form::Null && text.isEmpty())
        return true; // looked at, not changed
    form = Form::Text;
    m_headers[row].value = text.toUtf8();
    return true;
}

bool HeaderListModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    const bool byForm = role == FormRole && index.column() == FormColumn;
    if (!byForm && role != Qt::EditRole)
        return false;
    if (!byForm && value.toString() == data(index, Qt::EditRole).toString())
        return true;
    const int row = index.row();
    const bool done = byForm                          ? setForm(row, value.value<Form>())
                      : index.column() == NameColumn  ? setName(row, value.toString())
                      : index.column() == ValueColumn ? setValue(row, value.toString())
                                                      : false;
    if (!done)
        return false;
    emit dataChanged(this->index(row, NameColumn), this->index(row, ValueColumn));
    emit changed();
    return true;
}

QVariant HeaderListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Vertical)
        return section + 1;
    switch (section) {
    case NameColumn:
        return tr("Header");
    case FormColumn:
        return tr("As");
    case ValueColumn:
        return tr("Value");
    default:
        return {};
    }
}

Qt::ItemFlags HeaderListModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid())
        return flags;
    // A name no text field could give back stays as it is.
    const bool fixed = index.column() == NameColumn && !isPlainText(m_headers[index.row()].name);
    return fixed ? flags : flags | Qt::ItemIsEditable;
}

} // namespace topicscope::ui
