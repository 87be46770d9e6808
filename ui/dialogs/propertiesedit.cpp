#include "ui/dialogs/propertiesedit.h"

#include "core/profiles/propertycatalog.h"
#include "core/profiles/secrets.h"
#include "ui/theme/icons.h"

#include <QCompleter>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

enum Column { NameColumn, ValueColumn, ColumnCount };

constexpr int kExplanationLines = 5;

/// What has a field of its own in the dialog.
bool hasField(const QString &name)
{
    static const QStringList names = {u"bootstrap.servers"_s,
                                      u"metadata.broker.list"_s,
                                      u"security.protocol"_s,
                                      u"sasl.mechanism"_s,
                                      u"sasl.mechanisms"_s,
                                      u"sasl.username"_s,
                                      u"sasl.password"_s,
                                      u"sasl.oauthbearer.method"_s,
                                      u"sasl.oauthbearer.token"_s,
                                      u"sasl.oauthbearer.client.id"_s,
                                      u"sasl.oauthbearer.client.secret"_s,
                                      u"sasl.oauthbearer.token.endpoint.url"_s,
                                      u"ssl.ca.location"_s,
                                      u"ssl.certificate.location"_s,
                                      u"ssl.key.location"_s,
                                      u"ssl.key.password"_s,
                                      u"socket.connection.setup.timeout.ms"_s};
    return names.contains(name);
}

/// Of a secret only dots are seen, copied and read aloud; of an address not its login.
class ValueItem final : public QTableWidgetItem
{
public:
    using QTableWidgetItem::QTableWidgetItem;

    QVariant data(int role) const override
    {
        if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
            return QTableWidgetItem::data(role);
        QVariant value = QTableWidgetItem::data(Qt::EditRole);
        const QTableWidgetItem *name =
            tableWidget() ? tableWidget()->item(row(), NameColumn) : nullptr;
        if (!name || value.toString().isEmpty())
            return value;
        const QString property = name->text().trimmed();
        return isSecret(property) ? QString(8, u'•')
                                  : hideSecrets(value.toString(), {{property, value.toString()}});
    }
};

/// Completes names; shows secrets as dots while they are typed.
class PropertyDelegate final : public QStyledItemDelegate
{
public:
    PropertyDelegate(QStringList names, QObject *parent)
        : QStyledItemDelegate(parent)
        , m_names(std::move(names))
    {
    }

    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem & /*option*/,
                          const QModelIndex &index) const override
    {
        auto *line = new QLineEdit(parent);
        line->setFrame(false);
        if (index.column() == NameColumn) {
            auto *completer = new QCompleter(m_names, line);
            completer->setFilterMode(Qt::MatchContains);
            completer->setCaseSensitivity(Qt::CaseInsensitive);
            completer->setMaxVisibleItems(10);
            line->setCompleter(completer);
        } else if (isSecretRow(index)) {
            line->setEchoMode(QLineEdit::Password);
        }
        return line;
    }

private:
    static bool isSecretRow(const QModelIndex &index)
    {
        return isSecret(index.siblingAtColumn(NameColumn).data().toString());
    }

    QStringList m_names;
};

} // namespace

PropertiesEdit::PropertiesEdit(const PropertyCatalog *catalog, QWidget *parent)
    : QWidget(parent)
    , m_catalog(catalog)
    , m_table(new QTableWidget(0, ColumnCount))
    , m_remove(new QPushButton(tr("Re&move")))
    , m_explanation(new QLabel)
{
    QStringList names;
    if (m_catalog) {
        for (const EngineProperty &property : m_catalog->properties()) {
            if (!hasField(property.name) && !isFixedByProgram(property.name))
                names << property.name;
        }
    }
    m_table->setObjectName(u"properties"_s);
    m_table->setAccessibleName(tr("Properties"));
    m_table->setHorizontalHeaderLabels({tr("Property"), tr("Value")});
    m_table->setItemDelegate(new PropertyDelegate(names, m_table));
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setColumnWidth(NameColumn, 270);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::AllEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_remove->setObjectName(u"removeProperty"_s);
    m_remove->setAutoDefault(false);
    m_explanation->setObjectName(u"propertyExplanation"_s);
    m_explanation->setWordWrap(true);
    m_explanation->setTextFormat(Qt::PlainText);
    m_explanation->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_explanation->setFixedHeight(kExplanationLines * m_explanation->fontMetrics().lineSpacing());

    auto *below = new QHBoxLayout;
    below->addWidget(m_explanation, 1);
    below->addWidget(m_remove, 0, Qt::AlignTop);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_table, 1);
    layout->addLayout(below);
    connect(m_table, &QTableWidget::itemChanged, this, &PropertiesEdit::onItemChanged);
    connect(m_table, &QTableWidget::currentCellChanged, this, &PropertiesEdit::explain);
    connect(m_remove, &QPushButton::clicked, this, &PropertiesEdit::removeRow);
    setProperties({});
}

void PropertiesEdit::setProperties(const QMap<QString, QString> &properties)
{
    {
        const QSignalBlocker blocker(m_table);
        m_table->setRowCount(0);
        for (auto property = properties.cbegin(); property != properties.cend(); ++property)
            addRow(property.key(), property.value());
    }
    onItemChanged();
}

void PropertiesEdit::addRow(const QString &name, const QString &value)
{
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    m_table->setItem(row, NameColumn, new QTableWidgetItem(name));
    m_table->setItem(row, ValueColumn, new ValueItem(value));
}

void PropertiesEdit::removeRow()
{
    m_table->removeRow(m_table->currentRow());
    onItemChanged();
}

QString PropertiesEdit::text(int row, int column) const
{
    const QTableWidgetItem *item = m_table->item(row, column);
    return item ? item->data(Qt::EditRole).toString().trimmed() : QString();
}

QMap<QString, QString> PropertiesEdit::properties() const
{
    QMap<QString, QString> properties;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        if (const QString name = text(row, NameColumn); !name.isEmpty())
            properties.insert(name, text(row, ValueColumn));
    }
    return properties;
}

QString PropertiesEdit::problemOf(int row) const
{
    const QString name = text(row, NameColumn);
    const QString value = text(row, ValueColumn);
    if (name.isEmpty())
        return value.isEmpty() ? QString() : tr("A value needs the name of its property.");
    if (loadsForeignCode(name))
        return tr("%1 is not allowed: it would load foreign code.").arg(name);
    if (isFixedByProgram(name))
        return tr("%1 is set by the program: that looking leaves no trace and nothing is published "
                  "twice rests on it.")
            .arg(name);
    if (hasField(name))
        return tr("%1 has a field of its own.").arg(name);
    for (int before = 0; before < row; ++before) {
        if (text(before, NameColumn) == name)
            return tr("%1 is there twice.").arg(name);
    }
    return m_catalog ? m_catalog->problem(name, value) : QString();
}

QString PropertiesEdit::problem() const
{
    for (int row = 0; row < m_table->rowCount(); ++row) {
        if (QString problem = problemOf(row); !problem.isEmpty())
            return problem;
    }
    return {};
}

QString PropertiesEdit::warning() const
{
    for (int row = 0; row < m_table->rowCount(); ++row) {
        if (const QString name = text(row, NameColumn); runsCommand(name))
            return tr("%1: when this connection is opened, and again before a ticket expires, the "
                      "library has a shell run this command, with your rights.")
                .arg(name);
    }
    return {};
}

void PropertiesEdit::onItemChanged()
{
    {
        const QSignalBlocker blocker(m_table);
        const int last = m_table->rowCount() - 1;
        if (last < 0 || !text(last, NameColumn).isEmpty() || !text(last, ValueColumn).isEmpty())
            addRow({}, {});
        for (int row = 0; row < m_table->rowCount(); ++row) {
            const QString problem = problemOf(row);
            QTableWidgetItem *item = m_table->item(row, NameColumn);
            item->setToolTip(problem);
            item->setIcon(problem.isEmpty() ? QIcon() : icon(IconName::Warning, Tone::Warning));
        }
    }
    m_table->viewport()->update(); // a name decides how its value is shown
    explain();
    emit changed();
}

/// Of the current row: what is wrong, or what the property is.
void PropertiesEdit::explain()
{
    const int row = m_table->currentRow();
    m_remove->setEnabled(row >= 0 && row < m_table->rowCount() - 1);
    const QString name = text(row, NameColumn);
    QString words = row >= 0 ? problemOf(row) : QString();
    if (words.isEmpty() && m_catalog) {
        const auto &known = m_catalog->properties();
        const auto found = std::ranges::find(known, name, &EngineProperty::name);
        if (found != known.end()) {
            QStringList parts{found->values};
            if (!found->defaultValue.isEmpty())
                parts << tr("default %1").arg(found->defaultValue);
            words = parts.join(u"; "_s) + u". "_s + found->description;
        } else if (name.isEmpty()) {
            words = tr("Any property of %1 that has no field here.").arg(m_catalog->library());
        }
    }
    m_explanation->setText(words);
    m_explanation->setToolTip(words.size() > 300 ? words : QString());
}

} // namespace topicscope::ui
