#include "ui/dialogs/csvcolumnsform.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;
using namespace topicscope::transfer;

namespace
{

/// nullopt: nothing was chosen.
std::optional<QString> chosenIn(const QComboBox *box)
{
    return box->currentIndex() < 0 ? std::nullopt : std::optional(box->currentData().toString());
}

} // namespace

CsvColumnsForm::CsvColumnsForm(QWidget *parent)
    : QWidget(parent)
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins({});
    grid->setVerticalSpacing(2);
    m_key = addBox(tr("Ke&y"), "keyBox");
    m_value = addBox(tr("&Value"), "valueBox");
    m_partition = addBox(tr("Part&ition"), "columnPartitionBox");
    m_headers = addBox(tr("&Headers"), "headersBox");
    m_time = addBox(tr("Tim&e"), "timeBox");
    m_value->setPlaceholderText(tr("choose…"));
    m_headers->setToolTip(tr("A list as Topicscope exports it, or each other column as a header of "
                             "its name"));
    setColumns({});
}

QComboBox *CsvColumnsForm::addBox(const QString &label, const char *name)
{
    auto *box = new QComboBox(this);
    box->setObjectName(QLatin1StringView(name));
    box->setAccessibleName(tr("Column: %1").arg(QString(label).remove(u'&')));
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    auto *words = new QLabel(label, this);
    words->setBuddy(box);
    auto *grid = static_cast<QGridLayout *>(layout());
    const int column = grid->count() / 2;
    grid->addWidget(words, 0, column);
    grid->addWidget(box, 1, column);
    grid->setColumnStretch(column, 1);
    connect(box, &QComboBox::currentIndexChanged, this, &CsvColumnsForm::changed);
    return box;
}

void CsvColumnsForm::setColumns(const QStringList &names)
{
    if (names == m_names && m_key->count() > 0)
        return;
    m_names = names;
    const CsvColumns found = CsvColumns::find(names).value();
    fill(m_key, tr("none"), found.key);
    fill(m_value, tr("null"), found.value);
    fill(m_partition, tr("none"), found.partition);
    fill(m_headers, tr("none"), found.headers);
    fill(m_time, tr("none"), found.timestamp);
    if (!found.value)
        m_value->setCurrentIndex(-1); // that keys are deleted is said by hand
    const QSignalBlocker blocker(m_headers);
    m_headers->insertItem(1, tr("each other column"), CsvMapping::kOtherColumns.toString());
}

void CsvColumnsForm::fill(QComboBox *box, const QString &none,
                          const std::optional<qsizetype> &column)
{
    const QSignalBlocker blocker(box);
    box->clear();
    box->addItem(none, QString());
    for (qsizetype i = 0; i < m_names.size(); ++i)
        box->addItem(m_names[i].isEmpty() ? tr("column %1").arg(i + 1) : m_names[i],
                     CsvMapping::columnAt(m_names, i));
    box->setCurrentIndex(column ? int(*column) + 1 : 0);
    box->setEnabled(!m_names.isEmpty());
}

void CsvColumnsForm::setInEffect(bool partitions, bool times)
{
    m_partition->setEnabled(partitions && !m_names.isEmpty());
    m_partition->setToolTip(partitions ? QString()
                                       : tr("Counts when each goes to the partition it was in"));
    m_time->setEnabled(times && !m_names.isEmpty());
    m_time->setToolTip(times ? tr("In ms since 1970, or a date")
                             : tr("Counts when the file's times are kept"));
}

CsvMapping CsvColumnsForm::mapping() const
{
    if (m_names.isEmpty())
        return {}; // as the names say, when they are known
    return {chosenIn(m_key), chosenIn(m_value), chosenIn(m_partition), chosenIn(m_headers),
            chosenIn(m_time)};
}

} // namespace topicscope::ui
