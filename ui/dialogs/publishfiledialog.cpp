#include "ui/dialogs/publishfiledialog.h"

#include "core/base/digits.h"
#include "ui/dialogs/csvcolumnsform.h"
#include "ui/dialogs/plannedrows.h"
#include "ui/errortext.h"
#include "ui/panels/composepreview.h"
#include "ui/panels/deliverychoices.h"
#include "ui/panels/elidedlabel.h"
#include "ui/theme/icons.h"
#include "ui/views/outcomelabel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include <chrono>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace topicscope::transfer;

namespace
{

using Purpose = PublishFileRequest::Purpose;

constexpr auto kLookAfter = 150ms;              ///< of the last key typed
constexpr auto kSilence = 2'000ms;              ///< of a publish, until it is said
enum PartitionChoice { ByKey = -2, Keep = -1 }; ///< else: the partition

} // namespace

PublishFileDialog::PublishFileDialog(SessionFactory factory, QList<PublishPlace> places,
                                     qsizetype current, QWidget *parent)
    : QDialog(parent)
    , m_factory(std::move(factory))
    , m_places(std::move(places))
    , m_fields(new QWidget)
    , m_form(new QFormLayout(m_fields))
    , m_path(new QLineEdit)
    , m_browse(new QPushButton(tr("&Browse…")))
    , m_format(new QComboBox)
    , m_columns(new CsvColumnsForm)
    , m_place(new QComboBox)
    , m_topic(new QComboBox)
    , m_partition(new QComboBox)
    , m_partitioner(new QComboBox)
    , m_ack(new QComboBox)
    , m_promise(new ElidedLabel)
    , m_compression(new QComboBox)
    , m_rate(new QSpinBox)
    , m_keepTimes(new QCheckBox(tr("&Keep the file's times")))
    , m_drop(new QCheckBox(tr("&Leave out what is not stored there")))
    , m_outcomes(new QLineEdit)
    , m_rows(new PlannedRows)
    , m_status(new OutcomeLabel(u"status"_s, 3, Qt::AlignTop))
    , m_check(new QPushButton(tr("&Check")))
    , m_publish(new QPushButton)
    , m_close(new QPushButton(tr("Close")))
{
    setWindowTitle(tr("Publish from a File"));
    nameFields();
    buildForm();
    for (const PublishPlace &each : std::as_const(m_places))
        m_place->addItem(each.config.displayName());
    m_place->setCurrentIndex(int(current));
    connectInputs();
    onPlaceChanged();
    onFormatChanged();
}

PublishFileDialog::~PublishFileDialog() = default;

void PublishFileDialog::nameFields()
{
    setObjectName(u"publishFileDialog"_s);
    m_path->setObjectName(u"pathEdit"_s);
    m_format->setObjectName(u"formatBox"_s);
    m_place->setObjectName(u"placeBox"_s);
    m_topic->setObjectName(u"topicBox"_s);
    m_topic->setPlaceholderText(tr("Choose a topic"));
    m_partition->setObjectName(u"partitionBox"_s);
    m_partitioner->setObjectName(u"partitionerBox"_s);
    m_partitioner->setAccessibleName(tr("Partitioner: how a key selects the partition"));
    m_ack->setObjectName(u"ackBox"_s);
    m_ack->setAccessibleName(tr("Ack policy"));
    m_promise->setObjectName(u"ackPromise"_s);
    m_compression->setObjectName(u"compressionBox"_s);
    m_compression->setAccessibleName(tr("Compression"));
    m_rate->setObjectName(u"rateBox"_s);
    m_keepTimes->setObjectName(u"keepTimesCheck"_s);
    m_drop->setObjectName(u"dropCheck"_s);
    m_outcomes->setObjectName(u"outcomesEdit"_s);
    m_outcomes->setToolTip(tr("A file with what becomes of each record: by it a run goes on, and "
                              "nothing is sent twice. Another name begins anew."));
    m_rows->setObjectName(u"rows"_s);
    m_check->setObjectName(u"checkButton"_s);
    m_publish->setObjectName(u"publishButton"_s);
    m_close->setObjectName(u"closeButton"_s);
}

void PublishFileDialog::connectInputs()
{
    connect(m_path, &QLineEdit::textChanged, this, &PublishFileDialog::onPathChanged);
    connect(m_browse, &QPushButton::clicked, this, &PublishFileDialog::chooseFile);
    connect(m_format, &QComboBox::currentIndexChanged, this, &PublishFileDialog::onFormatChanged);
    connect(m_columns, &CsvColumnsForm::changed, this, &PublishFileDialog::onEdited);
    connect(m_place, &QComboBox::currentIndexChanged, this, &PublishFileDialog::onPlaceChanged);
    connect(m_topic, &QComboBox::currentIndexChanged, this, &PublishFileDialog::onTopicChanged);
    for (const QComboBox *box : {m_partition, m_partitioner, m_ack, m_compression})
        connect(box, &QComboBox::currentIndexChanged, this, &PublishFileDialog::onEdited);
    for (const QCheckBox *box : {m_keepTimes, m_drop})
        connect(box, &QCheckBox::toggled, this, &PublishFileDialog::onEdited);
    connect(m_outcomes, &QLineEdit::textEdited, this, &PublishFileDialog::onEdited);
    m_silence.setSingleShot(true);
    connect(&m_silence, &QTimer::timeout, this, [this] {
        m_status->say(m_progress + u' ' + tr("The broker does not answer…"), false);
    });
    m_lookSoon.setSingleShot(true);
    connect(&m_lookSoon, &QTimer::timeout, this, &PublishFileDialog::look);
    connect(m_check, &QPushButton::clicked, this, &PublishFileDialog::check);
    connect(m_publish, &QPushButton::clicked, this, &PublishFileDialog::publish);
    connect(m_close, &QPushButton::clicked, this, &PublishFileDialog::reject);
}

void PublishFileDialog::buildForm()
{
    m_browse->setAutoDefault(false);
    m_format->addItem(tr("NDJSON, as exported"), int(SourceFormat::Ndjson));
    m_format->addItem(tr("CSV, the first row names the columns"), int(SourceFormat::Csv));
    m_format->addItem(tr("Lines: each is a value"), int(SourceFormat::Lines));
    m_format->addItem(tr("A folder: each file is a value"), int(SourceFormat::Files));
    m_partition->addItem(tr("by the key"), int(ByKey));
    m_partition->addItem(tr("the one each was in"), int(Keep));
    m_rate->setRange(0, 1'000'000);
    m_rate->setSpecialValueText(tr("as fast as it goes"));
    m_rate->setSuffix(tr(" records/s"));
    m_rate->setGroupSeparatorShown(true);
    for (QComboBox *box : {m_partition, m_partitioner, m_ack, m_compression})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);

    const auto label = [](const QString &text, QWidget *buddy) {
        auto *words = new QLabel(text);
        words->setBuddy(buddy);
        return words;
    };
    const auto addRow = [&](const QString &name, std::initializer_list<QWidget *> widgets,
                            int stretched) {
        auto *row = new QHBoxLayout;
        for (QWidget *widget : widgets)
            row->addWidget(widget);
        if (stretched >= 0)
            row->setStretch(stretched, 1);
        else
            row->addStretch();
        m_form->addRow(label(name, *widgets.begin()), row);
    };
    addRow(tr("&File"), {m_path, m_browse}, 0);
    m_form->addRow(tr("For&mat"), m_format);
    m_form->addRow(tr("Columns"), m_columns);
    m_form->addRow(tr("C&onnection"), m_place);
    addRow(tr("&Topic"),
           {m_topic, label(tr("Partitio&n"), m_partition), m_partition, m_partitioner}, 0);
    addRow(tr("&Ack"), {m_ack, m_promise, m_compression}, 1);
    addRow(tr("&Rate"), {m_rate, m_keepTimes, m_drop}, -1);
    m_form->addRow(tr("O&utcomes"), m_outcomes);

    auto *buttons = new QDialogButtonBox;
    buttons->addButton(m_check, QDialogButtonBox::ActionRole);
    buttons->addButton(m_publish, QDialogButtonBox::ActionRole);
    buttons->addButton(m_close, QDialogButtonBox::RejectRole);
    m_publish->setIcon(icon(IconName::Publish));
    m_publish->setAutoDefault(false);
    m_close->setAutoDefault(false);
    auto *layout = new QVBoxLayout(this);
    m_form->setContentsMargins({});
    layout->addWidget(m_fields);
    layout->addWidget(m_rows, 1);
    layout->addWidget(m_status);
    layout->addWidget(buttons);
    m_check->setDefault(true); // the dialog's by now, or it would be so until the focus moves
    resize(860, 640);
}

void PublishFileDialog::setExport(const QString &path)
{
    setWindowTitle(tr("Redrive"));
    m_path->setText(QDir::toNativeSeparators(path));
    m_topic->setCurrentIndex(-1); // to where is chosen: in their own topic they are already
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

TopicInfo PublishFileDialog::topic() const
{
    const int index = m_topic->currentIndex();
    return index < 0 ? TopicInfo() : place().topics[index];
}

void PublishFileDialog::onPathChanged(const QString &path)
{
    for (const auto &[suffix, format] :
         {std::pair(u".ndjson"_s, SourceFormat::Ndjson), std::pair(u".csv"_s, SourceFormat::Csv),
          std::pair(u".txt"_s, SourceFormat::Lines)}) {
        if (path.endsWith(suffix, Qt::CaseInsensitive))
            m_format->setCurrentIndex(m_format->findData(int(format)));
    }
    m_columns->setColumns({});
    m_outcomes->setText(path.trimmed().isEmpty() ? QString() : path.trimmed() + u".outcomes"_s);
    onEdited();
}

void PublishFileDialog::onFormatChanged()
{
    m_form->setRowVisible(m_columns, format() == SourceFormat::Csv);
    onEdited();
}

void PublishFileDialog::onPlaceChanged()
{
    const QString topic = m_topic->currentText();
    const Capabilities &capabilities = place().capabilities;
    m_topic->clear();
    for (const TopicInfo &info : place().topics)
        m_topic->addItem(info.name);
    m_topic->setCurrentIndex(m_topic->findText(topic));
    offerPartitioners(m_partitioner, capabilities);
    offerCompressions(m_compression, capabilities);
    offerAckPolicies(m_ack, capabilities);
    m_partitioner->setVisible(capabilities.partitioners.size() > 1);
    m_compression->setVisible(!capabilities.compressions.isEmpty());
    m_keepTimes->setVisible(capabilities.timestamps);
    m_drop->setVisible(!capabilities.keys || !capabilities.headers);
    m_rows->setCapabilities(capabilities);
    onEdited();
}

void PublishFileDialog::onTopicChanged()
{
    const int kept = m_partition->currentIndex();
    while (m_partition->count() > 2)
        m_partition->removeItem(m_partition->count() - 1);
    for (const PartitionInfo &info : topic().partitions)
        m_partition->addItem(tr("partition %1").arg(info.id.value), info.id.value);
    m_partition->setCurrentIndex(kept < m_partition->count() ? kept : 0);
    onEdited();
}

PublishPlan PublishFileDialog::plan() const
{
    const Capabilities &capabilities = place().capabilities;
    PublishPlan plan;
    plan.topic = m_topic->currentText();
    const int partition = m_partition->currentData().toInt();
    plan.mapping = partition == ByKey  ? PublishPlan::Mapping::ByKey
                   : partition == Keep ? PublishPlan::Mapping::Keep
                                       : PublishPlan::Mapping::Fixed;
    plan.fixed = PartitionId{std::max(0, partition)};
    if (m_partitioner->currentIndex() >= 0)
        plan.partitioner = m_partitioner->currentData().value<PartitionAlgorithm>();
    if (m_ack->currentIndex() >= 0)
        plan.ack = m_ack->currentData().value<AckPolicy>();
    if (m_compression->currentIndex() >= 0)
        plan.compression = m_compression->currentData().value<Compression>();
    plan.keepTimes = m_keepTimes->isChecked() && capabilities.timestamps;
    plan.dropUnstored = m_drop->isChecked();
    plan.perSecond = m_rate->value();
    return plan;
}

PublishFileRequest PublishFileDialog::request() const
{
    const auto pathIn = [](const QLineEdit *edit) {
        const QString path = QDir::fromNativeSeparators(edit->text().trimmed());
        return path.isEmpty() ? path : QFileInfo(path).absoluteFilePath();
    };
    PublishFileRequest request;
    request.path = pathIn(m_path);
    request.format = format();
    request.mapping = m_columns->mapping();
    request.outcomes = pathIn(m_outcomes);
    request.plan = plan();
    return request;
}

void PublishFileDialog::onEdited()
{
    if (m_run)
        return;
    m_checked.reset();
    m_resumes = false; // the next check looks
    m_look.reset();
    m_lookSoon.start(kLookAfter);
    const PublishPlan now = plan();
    m_partitioner->setEnabled(now.mapping == PublishPlan::Mapping::ByKey);
    m_partitioner->setToolTip(Partitioner(now.partitioner).title());
    m_promise->setLine(m_ack->currentIndex() < 0 ? QString() : ackPromise(now.ack));
    m_columns->setInEffect(now.mapping == PublishPlan::Mapping::Keep, now.keepTimes);
    m_status->say({});
    updateButtons();
}

void PublishFileDialog::updateButtons()
{
    const bool isComplete = !m_path->text().trimmed().isEmpty() && m_topic->currentIndex() >= 0 &&
                            !m_outcomes->text().trimmed().isEmpty();
    m_fields->setEnabled(!m_run);
    m_check->setText(m_run ? tr("&Stop") : tr("&Check"));
    m_check->setEnabled(m_run || isComplete);
    m_publish->setText(m_resumes ? tr("&Go On") : tr("&Publish"));
    m_publish->setEnabled(!m_run && isComplete && m_checked);
    m_publish->setToolTip(m_checked ? QString() : tr("Check first: it sends nothing"));
    m_close->setEnabled(!m_run);
}

void PublishFileDialog::look()
{
    m_looked = 0;
    if (m_path->text().trimmed().isEmpty()) {
        m_rows->clear();
        return;
    }
    PublishFileRequest wanted = request();
    wanted.purpose = Purpose::Look;
    wanted.known = {topic(), place().capabilities, {}};
    m_look = std::make_unique<PublishHandle>(m_factory, place().config, wanted);
    connect(m_look.get(), &PublishHandle::columnsFound, m_columns, &CsvColumnsForm::setColumns);
    connect(m_look.get(), &PublishHandle::planned, this, [this](const QList<PlannedRow> &rows) {
        m_looked = rows.size();
        m_rows->setRows(rows);
    });
    connect(m_look.get(), &PublishHandle::finished, this, &PublishFileDialog::onLooked);
}

void PublishFileDialog::onLooked(const PublishSummary &summary)
{
    m_look.release()->deleteLater(); // it is in the midst of its signal
    if (m_looked == 0)
        m_rows->clear();
    if (summary.error) {
        m_status->say(errorText(*summary.error).full(), false);
    } else if (m_looked > 0) {
        QString text =
            summary.finished
                ? tr("All records are shown as they would be published.")
                : tr("The first %1 records are shown as they would be published.").arg(m_looked);
        if (summary.refused > 0)
            text += u' ' + tr("Of these would be refused: %1.").arg(summary.refused);
        m_status->say(text, summary.refused > 0 ? std::optional(false) : std::nullopt);
    } else if (summary.finished) {
        m_status->say(tr("There is no record in it."), false);
    }
}

void PublishFileDialog::check()
{
    if (m_run) {
        stop();
        return;
    }
    PublishFileRequest wanted = request();
    wanted.purpose = Purpose::Check;
    start(wanted);
}

/// What was checked, whatever the file's columns say meanwhile; at the rate there is now.
void PublishFileDialog::publish()
{
    PublishFileRequest wanted = *m_checked;
    wanted.purpose = Purpose::Publish;
    wanted.resume = m_resumes;
    wanted.plan.perSecond = m_rate->value();
    start(wanted);
}

void PublishFileDialog::stop()
{
    if (!m_run)
        return;
    m_run->cancel();
    m_silence.stop();
    m_check->setEnabled(false);
    m_status->say(m_request.purpose == Purpose::Check
                      ? tr("Stopping…")
                      : tr("Stopping; the answer to the last record is waited for…"));
}

void PublishFileDialog::start(const PublishFileRequest &request)
{
    m_lookSoon.stop();
    m_look.reset();
    m_request = request;
    const bool isCheck = request.purpose == Purpose::Check;
    m_run = std::make_unique<PublishHandle>(m_factory, place().config, request);
    connect(m_run.get(), &PublishHandle::columnsFound, m_columns, &CsvColumnsForm::setColumns);
    connect(m_run.get(), &PublishHandle::planned, m_rows, &PlannedRows::setRows);
    connect(m_run.get(), &PublishHandle::progressed, this, &PublishFileDialog::onProgressed);
    connect(m_run.get(), &PublishHandle::finished, this, &PublishFileDialog::onFinished);
    m_progress = isCheck ? tr("Checking; nothing is sent…") : tr("Publishing…");
    m_status->say(m_progress);
    if (!isCheck)
        m_silence.start(kSilence);
    updateButtons();
}

void PublishFileDialog::onProgressed(const PublishProgress &now)
{
    if (!m_check->isEnabled())
        return; // it is said that it stops
    const double seconds = double(std::max<qint64>(1, now.elapsed.count())) / 1000;
    m_progress = tr("Record %1 of %2 · published %3 · refused %4 · %5 records/s")
                     .arg(groupedDigits(now.record), groupedDigits(m_records),
                          groupedDigits(now.published), groupedDigits(now.refused),
                          groupedDigits(qint64(double(now.published) / seconds)));
    m_status->say(m_progress);
    m_silence.start(kSilence);
}

void PublishFileDialog::onFinished(const PublishSummary &summary)
{
    m_run.release()->deleteLater(); // it is in the midst of its signal
    m_silence.stop();
    const bool isCheck = m_request.purpose == Purpose::Check;
    if (isCheck)
        m_records = summary.next - 1;
    m_resumes = summary.canGoOn;
    // A run that ended early goes on with what was checked.
    if (isCheck ? summary.finished : m_resumes && !summary.finished)
        m_checked = m_request;
    else
        m_checked.reset();
    updateButtons();
    m_status->say(outcome(summary), summary.finished && summary.refused + summary.unknown == 0);
    (isCheck && m_checked ? m_publish : m_close)->setFocus();
    if (!isCheck)
        emit published();
}

QString PublishFileDialog::outcome(const PublishSummary &summary) const
{
    QString why;
    if (summary.error)
        why = summary.error->kind == ErrorKind::Cancelled ? tr("Stopped.")
                                                          : errorText(*summary.error).full();
    if (m_request.purpose == Purpose::Check) {
        if (summary.error && summary.error->where.endpoint == m_request.outcomes)
            why += u' ' + tr("Outcomes in a file of another name begin anew.");
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
                               .arg(m_request.outcomes);
        return text;
    }
    QString text = tr("Published: %1, refused: %2, unknown: %3.")
                       .arg(groupedDigits(summary.published), groupedDigits(summary.refused),
                            groupedDigits(summary.unknown));
    if (summary.before > 0)
        text += u' ' + tr("Known from before: %1.").arg(groupedDigits(summary.before));
    text += u' ' + tr("What became of each is in %1.").arg(m_request.outcomes);
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
