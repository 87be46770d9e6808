#include "ui/dialogs/publishfiledialog.h"

#include "core/base/bytewriter.h"
#include "core/base/digits.h"
#include "core/records/payloadformat.h"
#include "ui/errortext.h"
#include "ui/theme/icons.h"
#include "ui/views/outcomelabel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;
using namespace topicscope::transfer;

namespace
{

enum Column { NumberColumn, PartitionColumn, KeyColumn, ValueColumn };
constexpr int kPartitionWidth = 90;
enum PartitionChoice { ByKey = -2, Keep = -1 }; ///< else: the partition

QString text(const std::optional<QByteArray> &bytes)
{
    return bytes ? previewText(asBytes(*bytes)) : PublishFileDialog::tr("null");
}

QString chosenColumn(const QComboBox *box)
{
    return box->currentIndex() > 0 ? box->currentText() : QString();
}

} // namespace

PublishFileDialog::PublishFileDialog(SessionFactory factory, QList<PublishPlace> places,
                                     qsizetype current, QWidget *parent)
    : QDialog(parent)
    , m_factory(std::move(factory))
    , m_places(std::move(places))
    , m_form(new QFormLayout)
    , m_path(new QLineEdit)
    , m_browse(new QPushButton(tr("&Browse…")))
    , m_format(new QComboBox)
    , m_columns(new QWidget)
    , m_key(new QComboBox)
    , m_value(new QComboBox)
    , m_place(new QComboBox)
    , m_topic(new QComboBox)
    , m_partition(new QComboBox)
    , m_ack(new QComboBox)
    , m_rate(new QSpinBox)
    , m_keepTimes(new QCheckBox(tr("&Keep the file's times")))
    , m_drop(new QCheckBox(tr("&Leave out what is not stored there")))
    , m_rows(new QTreeWidget)
    , m_status(new OutcomeLabel(u"status"_s, 3, Qt::AlignTop))
    , m_check(new QPushButton(tr("&Check")))
    , m_publish(new QPushButton)
    , m_close(new QPushButton(tr("Close")))
{
    setObjectName(u"publishFileDialog"_s);
    setWindowTitle(tr("Publish from a File"));
    m_path->setObjectName(u"pathEdit"_s);
    m_format->setObjectName(u"formatBox"_s);
    m_key->setObjectName(u"keyBox"_s);
    m_value->setObjectName(u"valueBox"_s);
    m_place->setObjectName(u"placeBox"_s);
    m_topic->setObjectName(u"topicBox"_s);
    m_partition->setObjectName(u"partitionBox"_s);
    m_ack->setObjectName(u"ackBox"_s);
    m_rate->setObjectName(u"rateBox"_s);
    m_keepTimes->setObjectName(u"keepTimesCheck"_s);
    m_drop->setObjectName(u"dropCheck"_s);
    m_rows->setObjectName(u"rows"_s);
    m_check->setObjectName(u"checkButton"_s);
    m_publish->setObjectName(u"publishButton"_s);
    m_close->setObjectName(u"closeButton"_s);
    buildForm();
    for (const PublishPlace &each : std::as_const(m_places))
        m_place->addItem(each.config.displayName());
    m_place->setCurrentIndex(int(current));

    connect(m_path, &QLineEdit::textChanged, this, [this](const QString &path) {
        for (const auto &[suffix, format] : {std::pair(u".ndjson"_s, SourceFormat::Ndjson),
                                             {u".csv"_s, SourceFormat::Csv},
                                             {u".txt"_s, SourceFormat::Lines}}) {
            if (path.endsWith(suffix, Qt::CaseInsensitive))
                m_format->setCurrentIndex(m_format->findData(int(format)));
        }
        showColumns({});
        onEdited();
    });
    connect(m_browse, &QPushButton::clicked, this, &PublishFileDialog::chooseFile);
    connect(m_format, &QComboBox::currentIndexChanged, this, &PublishFileDialog::onFormatChanged);
    connect(m_place, &QComboBox::currentIndexChanged, this, &PublishFileDialog::onPlaceChanged);
    for (const QComboBox *box : {m_key, m_value, m_topic, m_partition, m_ack})
        connect(box, &QComboBox::currentIndexChanged, this, &PublishFileDialog::onEdited);
    for (const QCheckBox *box : {m_keepTimes, m_drop})
        connect(box, &QCheckBox::toggled, this, &PublishFileDialog::onEdited);
    connect(m_topic, &QComboBox::currentIndexChanged, this, [this] {
        const int kept = m_partition->currentIndex();
        while (m_partition->count() > 2)
            m_partition->removeItem(m_partition->count() - 1);
        if (const int topic = m_topic->currentIndex(); topic >= 0) {
            for (const PartitionInfo &info : place().topics[topic].partitions)
                m_partition->addItem(tr("partition %1").arg(info.id.value), info.id.value);
        }
        m_partition->setCurrentIndex(kept < m_partition->count() ? kept : 0);
    });
    connect(m_check, &QPushButton::clicked, this, &PublishFileDialog::check);
    connect(m_publish, &QPushButton::clicked, this, &PublishFileDialog::publish);
    connect(m_close, &QPushButton::clicked, this, &PublishFileDialog::reject);
    showColumns({});
    onPlaceChanged();
    onFormatChanged();
}

PublishFileDialog::~PublishFileDialog() = default;

void PublishFileDialog::buildForm()
{
    auto *path = new QHBoxLayout;
    path->addWidget(m_path, 1);
    path->addWidget(m_browse);
    m_browse->setAutoDefault(false);
    m_format->addItem(tr("NDJSON, as exported"), int(SourceFormat::Ndjson));
    m_format->addItem(tr("CSV, the first row names the columns"), int(SourceFormat::Csv));
    m_format->addItem(tr("Lines: each is a value"), int(SourceFormat::Lines));
    m_format->addItem(tr("A folder: each file is a value"), int(SourceFormat::Files));
    auto *columns = new QHBoxLayout(m_columns);
    columns->setContentsMargins({});
    const auto addColumn = [&](const QString &name, QComboBox *box) {
        auto *label = new QLabel(name);
        label->setBuddy(box);
        columns->addWidget(label);
        columns->addWidget(box, 1);
    };
    addColumn(tr("K&ey"), m_key);
    addColumn(tr("&Value"), m_value);
    m_partition->addItem(tr("by the key"), int(ByKey));
    m_partition->addItem(tr("the one each was in"), int(Keep));
    m_rate->setRange(0, 1'000'000);
    m_rate->setSpecialValueText(tr("as fast as it goes"));
    m_rate->setSuffix(tr(" records/s"));
    m_rate->setGroupSeparatorShown(true);

    auto *target = new QHBoxLayout;
    target->addWidget(m_topic, 2);
    target->addWidget(m_partition, 1);
    m_partition->setAccessibleName(tr("Partition"));
    auto *how = new QHBoxLayout;
    how->addWidget(m_ack, 1);
    auto *rate = new QLabel(tr("&Rate"));
    rate->setBuddy(m_rate);
    how->addWidget(rate);
    how->addWidget(m_rate, 1);
    auto *also = new QHBoxLayout;
    also->addWidget(m_keepTimes);
    also->addWidget(m_drop);
    also->addStretch();
    const auto addRow = [this](const QString &name, QLayout *layout, QWidget *buddy) {
        auto *label = new QLabel(name);
        label->setBuddy(buddy);
        m_form->addRow(label, layout);
    };
    addRow(tr("F&ile"), path, m_path);
    m_form->addRow(tr("&Format"), m_format);
    m_form->addRow(tr("Columns"), m_columns);
    m_form->addRow(tr("C&onnection"), m_place);
    addRow(tr("&Topic"), target, m_topic);
    addRow(tr("&Ack"), how, m_ack);
    m_form->addRow({}, also);

    m_rows->setHeaderLabels({tr("Record"), tr("Partition"), tr("Key"), tr("Value")});
    m_rows->setRootIsDecorated(false);
    m_rows->setUniformRowHeights(true);
    m_rows->setAccessibleName(tr("What becomes of each record"));
    m_rows->header()->resizeSection(NumberColumn, 70);
    m_rows->header()->resizeSection(PartitionColumn, kPartitionWidth);
    m_rows->header()->resizeSection(KeyColumn, 120);
    auto *buttons = new QDialogButtonBox;
    buttons->addButton(m_check, QDialogButtonBox::ActionRole);
    buttons->addButton(m_publish, QDialogButtonBox::ActionRole);
    buttons->addButton(m_close, QDialogButtonBox::RejectRole);
    m_publish->setIcon(icon(IconName::Publish));
    m_publish->setAutoDefault(false);
    m_close->setAutoDefault(false);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(m_form);
    layout->addWidget(m_rows, 1);
    layout->addWidget(m_status);
    layout->addWidget(buttons);
    m_check->setDefault(true); // the dialog's by now, or it would be so until the focus moves
    resize(680, 560);
}

void PublishFileDialog::setExport(const QString &path)
{
    m_path->setText(QDir::toNativeSeparators(path));
    m_partition->setCurrentIndex(m_partition->findData(int(Keep)));
}

void PublishFileDialog::setTopic(const QString &topic)
{
    if (const int index = m_topic->findText(topic); index >= 0)
        m_topic->setCurrentIndex(index);
}

void PublishFileDialog::chooseFile()
{
    auto *chooser = new QFileDialog(this, tr("Publish from a File"), m_path->text());
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(format() == SourceFormat::Files ? QFileDialog::Directory
                                                         : QFileDialog::ExistingFile);
    connect(chooser, &QFileDialog::fileSelected, this,
            [this](const QString &path) { m_path->setText(QDir::toNativeSeparators(path)); });
    chooser->open();
}

const PublishPlace &PublishFileDialog::place() const
{
    return m_places[std::max(0, m_place->currentIndex())];
}

SourceFormat PublishFileDialog::format() const
{
    return SourceFormat{m_format->currentData().toInt()};
}

void PublishFileDialog::onPlaceChanged()
{
    const QString topic = m_topic->currentText();
    m_topic->clear();
    for (const TopicInfo &info : place().topics)
        m_topic->addItem(info.name);
    m_topic->setCurrentIndex(std::max(0, m_topic->findText(topic)));
    m_ack->clear();
    for (const AckPolicy policy : place().capabilities.ackPolicies)
        m_ack->addItem(ackPolicyName(policy), int(policy));
    onEdited();
}

void PublishFileDialog::onFormatChanged()
{
    m_form->setRowVisible(m_columns, format() == SourceFormat::Csv);
    onEdited();
}

PublishFileRequest PublishFileDialog::request() const
{
    PublishFileRequest request;
    request.path =
        QFileInfo(QDir::fromNativeSeparators(m_path->text().trimmed())).absoluteFilePath();
    request.format = format();
    request.mapping.key = chosenColumn(m_key);
    request.mapping.value = chosenColumn(m_value);
    request.outcomes = request.path + u".outcomes"_s;
    PublishPlan &plan = request.plan;
    plan.topic = m_topic->currentText();
    const int partition = m_partition->currentData().toInt();
    plan.mapping = partition == ByKey  ? PublishPlan::Mapping::ByKey
                   : partition == Keep ? PublishPlan::Mapping::Keep
                                       : PublishPlan::Mapping::Fixed;
    plan.fixed = PartitionId{std::max(0, partition)};
    plan.partitioner = place().capabilities.partitioners.value(0);
    plan.ack = AckPolicy{m_ack->currentData().toInt()};
    plan.keepTimes = m_keepTimes->isChecked();
    plan.dropUnstored = m_drop->isChecked();
    plan.perSecond = m_rate->value();
    return request;
}

void PublishFileDialog::onEdited()
{
    if (m_run)
        return;
    m_isChecked = false;
    m_resumes = false; // the next check looks
    m_rows->clear();
    m_status->say({});
    updateButtons();
}

void PublishFileDialog::updateButtons()
{
    const bool isComplete = !m_path->text().trimmed().isEmpty() && m_topic->currentIndex() >= 0;
    for (QWidget *widget : QList<QWidget *>{m_path, m_browse, m_format, m_columns, m_place, m_topic,
                                            m_partition, m_ack, m_rate, m_keepTimes, m_drop})
        widget->setEnabled(!m_run);
    m_check->setText(m_run ? tr("&Stop") : tr("&Check"));
    m_check->setEnabled(m_run || isComplete);
    m_publish->setText(m_resumes ? tr("&Go On") : tr("&Publish"));
    m_publish->setEnabled(!m_run && isComplete && m_isChecked);
    m_publish->setToolTip(m_isChecked ? QString() : tr("Check first: it sends nothing"));
    m_close->setEnabled(!m_run);
}

void PublishFileDialog::check()
{
    if (m_run)
        stop();
    else
        start(true);
}

void PublishFileDialog::publish()
{
    start(false);
}

void PublishFileDialog::stop()
{
    if (m_run)
        m_run->cancel();
}

void PublishFileDialog::start(bool isDryRun)
{
    PublishFileRequest wanted = request();
    wanted.isDryRun = isDryRun;
    wanted.resume = m_resumes;
    m_isDryRun = isDryRun;
    m_run = std::make_unique<PublishHandle>(m_factory, place().config, wanted);
    connect(m_run.get(), &PublishHandle::columnsFound, this, &PublishFileDialog::showColumns);
    connect(m_run.get(), &PublishHandle::planned, this, &PublishFileDialog::showRows);
    connect(m_run.get(), &PublishHandle::progressed, this, [this](const PublishProgress &now) {
        const double seconds = double(std::max<qint64>(1, now.elapsed.count())) / 1000;
        m_status->say(tr("Record %1 · published %2 · refused %3 · %4 records/s")
                          .arg(groupedDigits(now.record), groupedDigits(now.published),
                               groupedDigits(now.refused),
                               groupedDigits(qint64(double(now.published) / seconds))));
    });
    connect(m_run.get(), &PublishHandle::finished, this, &PublishFileDialog::onFinished);
    m_status->say(isDryRun ? tr("Checking; nothing is sent…") : tr("Publishing…"));
    updateButtons();
}

/// Keeps what is chosen as far as it is there.
void PublishFileDialog::showColumns(const QStringList &names)
{
    for (const auto &[box, none] :
         {std::pair(m_key, tr("“key”, if there is one")), {m_value, tr("“value”")}}) {
        const QSignalBlocker blocker(box);
        const QString chosen = chosenColumn(box);
        box->clear();
        box->addItem(none);
        box->addItems(names);
        box->setCurrentIndex(chosen.isEmpty() ? 0 : std::max(0, box->findText(chosen)));
    }
}

void PublishFileDialog::showRows(const QList<PlannedRow> &rows)
{
    m_rows->clear();
    for (const PlannedRow &row : rows) {
        const bool isRefused = !row.refusal.isEmpty();
        auto *item =
            new QTreeWidgetItem(m_rows, {groupedDigits(row.number),
                                         isRefused       ? tr("refused: %1").arg(row.refusal)
                                         : row.partition ? QString::number(row.partition->value)
                                                         : tr("any"),
                                         text(row.key), text(row.value)});
        item->setTextAlignment(NumberColumn, Qt::AlignRight | Qt::AlignVCenter);
        if (isRefused) {
            item->setIcon(PartitionColumn, icon(IconName::Warning, Tone::Warning));
            item->setToolTip(PartitionColumn, row.refusal);
        }
    }
    m_rows->resizeColumnToContents(PartitionColumn); // reasons are long, numbers are not
    m_rows->setColumnWidth(PartitionColumn, std::clamp(m_rows->columnWidth(PartitionColumn),
                                                       kPartitionWidth, m_rows->width() / 2));
}

void PublishFileDialog::onFinished(const PublishSummary &summary)
{
    m_run.release()->deleteLater(); // it is in the midst of its signal
    m_isChecked = m_isDryRun && summary.finished;
    m_resumes = summary.canGoOn;
    updateButtons();
    m_status->say(outcome(summary), summary.finished && summary.refused + summary.unknown == 0);
    (m_isChecked ? m_publish : m_close)->setFocus();
}

QString PublishFileDialog::outcome(const PublishSummary &summary) const
{
    QString why;
    if (summary.error)
        why = summary.error->kind == ErrorKind::Cancelled ? tr("Stopped.")
                                                          : errorText(*summary.error).full();
    if (m_isDryRun) {
        if (!summary.finished)
            return why + u' ' + tr("Nothing was sent.");
        QString text = tr("Records: %1, of which would be refused: %2. Nothing was sent.")
                           .arg(groupedDigits(summary.published + summary.refused),
                                groupedDigits(summary.refused));
        if (summary.next - 1 > PublishHandle::kMaxRows)
            text +=
                u' ' + tr("The first %1 are shown.").arg(groupedDigits(PublishHandle::kMaxRows));
        if (m_resumes)
            text += u' ' + tr("There are outcomes of an earlier run, in %1: it is gone on with.")
                               .arg(request().outcomes);
        return text;
    }
    QString text = tr("Published: %1, refused: %2, unknown: %3.")
                       .arg(groupedDigits(summary.published), groupedDigits(summary.refused),
                            groupedDigits(summary.unknown));
    if (summary.before > 0)
        text += u' ' + tr("Known from before: %1.").arg(groupedDigits(summary.before));
    text += u' ' + tr("What became of each is in %1.").arg(request().outcomes);
    if (!summary.finished)
        text = why + u' ' + text + u' ' +
               tr("Record %1 is the next.").arg(groupedDigits(summary.next));
    return text;
}

void PublishFileDialog::reject()
{
    if (m_run)
        stop();
    else
        QDialog::reject();
}

} // namespace topicscope::ui
