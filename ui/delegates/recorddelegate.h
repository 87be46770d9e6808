#pragma once

#include <QFont>
#include <QStyledItemDelegate>

namespace topicscope::ui
{

/// Paints the rows of a record table: the state's icon and tint, text about a cell apart from its
/// content, digits and bytes in a fixed pitch. Knows roles (ui/models/modelroles.h), no model.
class RecordDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit RecordDelegate(QObject *parent = nullptr);

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    QFont m_fixed;
};

} // namespace topicscope::ui
