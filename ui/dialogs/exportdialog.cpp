#include "ui/dialogs/exportdialog.h"

#include "core/base/digits.h"
#include "core/records/logplace.h"
#include "ui/errortext.h"
#include "ui/models/recordtext.h"
#include "ui/panels/filteredit.h"
#include "ui/views/outcomelabel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStandardPaths>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;
using namespace topicscope::transfer;

namespace
{

constexpr int kProgressSteps = 1'000;

QString formatHint(ExportFormat format)
{
    switch (format) {
    case ExportFormat::Ndjson:
        return ExportDialog::tr("Everything there is of a record, to the byte. Topicscope opens "
                                "it again.");
    case ExportFormat::Csv:
        return ExportDialog::tr("For spreadsheets and databases: bytes that are no text in base64, "
                                "null told from empty.");
    case ExportFormat::Kcat:
        return ExportDialog::tr("As kcat -J prints them. Bytes that are no UTF-8 are lost; how "
                                "many records that concerns is told.");
    case ExportFormat::Raw:
        return ExportDialog::tr("A new folder with one file a record: its value alone.");
    }
    return {};
}

QString suffixOf(ExportFormat format)
{
    switch (format) {
    case ExportFormat::Ndjson:
        return u".ndjson"_s;
    case ExportFormat::Csv:
        return u".csv"_s;
    case ExportFormat::Kcat:
        return u".json"_s;
    case ExportFormat::Raw:
        break;
    }
    return {};
}

/// A name files can have everywhere.
QString fileName(const QString &text)
{
    QString name;
    for (const QChar c : text) {
        const bool isPlain = c.isLetterOrNumber() || c == u'_' || c == u'.' || c == u'-';
        if (isPlain && !(name.isEmpty() && c == u'.'))
            name += c;
        else if (!name.isEmpty() && !name.endsWith(u'-'))
            name += u'-';
    }
    return name.isEmpty() ? u"records"_s : name.left(100);
}

/// An end of a range as it is typed. `open`: what nothing means.
std::optional<LogPlace> parsePlace(const QString &text, const LogPlace &open, bool takesTimes)
{
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty())
        return open;
    const auto place = LogPlace::parse(trimmed);
    if (place || !takesTimes)
        return place;
    return LogPlace::parseWithTime(trimmed.startsWith(u'@') ? trimmed : u'@' + trimmed,
                                   QDateTime::currentMSecsSinceEpoch());
}

QString nameOf(const TopicPartition &partition)
{
    return u"%1 / %2"_s.arg(partition.topic, QString::number(partition.partition.value));
}

QString secondsText(std::chrono::milliseconds time)
{
    const qint64 seconds = (time.count() + 999) / 1000;
    return seconds < 120 ? ExportDialog::tr("%1 s").arg(seconds)
                         : ExportDialog::tr("%1 min").arg((seconds + 59) / 60);
}

} // namespace

ExportDialog::ExportDialog(SessionFactory factory, ExportSubject subject, QWidget *parent)
    : QDialog(parent)
    , m_factory(std::move(factory))
    , m_subject(std::move(subject))
    , m_form(new QFormLayout)
    , m_what(new QComboBox)
    , m_range(new QWidget)
    , m_from(new QLineEdit)
    , m_to(new QLineEdit)
    , m_filter(new FilterEdit)
    , m_format(new QComboBox)
    , m_formatHint(new QLabel)
    , m_path(new QLineEdit)
    , m_browse(new QPushButton(tr("&Browse…")))
    , m_replace(new QCheckBox(tr("&Replace what is there")))
    , m_progress(new QProgressBar)
    , m_status(new OutcomeLabel(u"status"_s, 4, Qt::AlignTop))
    , m_export(new QPushButton)
    , m_open(new QPushButton(tr("&Open the File")))
    , m_close(new QPushButton(tr("&Close")))
{
    setObjectName(u"exportDialog"_s);
    setWindowTitle(m_subject.found ? tr("Export Hits in %1").arg(m_subject.title)
                                   : tr("Export from %1").arg(m_subject.title));
    m_what->setObjectName(u"whatBox"_s);
    m_from->setObjectName(u"fromEdit"_s);
    m_to->setObjectName(u"toEdit"_s);
    m_filter->setObjectName(u"filterEdit"_s);
    m_format->setObjectName(u"formatBox"_s);
    m_path->setObjectName(u"pathEdit"_s);
    m_replace->setObjectName(u"replaceCheck"_s);
    m_progress->setObjectName(u"progress"_s);
    m_export->setObjectName(u"exportButton"_s);
    m_open->setObjectName(u"openButton"_s);
    m_close->setObjectName(u"closeButton"_s);
    fillWhat();
    buildForm();

    connect(m_what, &QComboBox::currentIndexChanged, this, [this] {
        m_form->setRowVisible(m_range, what() == What::Range);
        if (m_isPathOurs)
            m_path->setText(suggestedPath());
        onEdited();
    });
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::onFormatChanged);
    for (QLineEdit *edit : QList<QLineEdit *>{m_from, m_to, m_filter, m_path})
        connect(edit, &QLineEdit::textChanged, this, &ExportDialog::onEdited);
    connect(m_path, &QLineEdit::textEdited, this, [this] { m_isPathOurs = false; });
    connect(m_replace, &QCheckBox::toggled, this, &ExportDialog::onEdited);
    connect(m_browse, &QPushButton::clicked, this, &ExportDialog::chooseFile);
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::toggle);
    connect(m_open, &QPushButton::clicked, this, [this] { emit openRequested(m_written); });
    connect(m_close, &QPushButton::clicked, this, &ExportDialog::reject);
    m_path->setText(suggestedPath());
    onFormatChanged();
    showRunning(false);
}

ExportDialog::~ExportDialog() = default;

void ExportDialog::fillWhat()
{
    if (m_subject.found)
        fillWithHits();
    else
        fillWithRows();
    // One row is selected wherever one looks: more than that was chosen.
    if (offsetsIn(m_subject.selected) < 2)
        m_what->setCurrentIndex(m_what->findData(int(m_subject.found ? What::Shown : What::Tab)));
}

void ExportDialog::fillWithHits()
{
    const qint64 shown = offsetsIn(m_subject.shown);
    if (!m_subject.selected.empty())
        m_what->addItem(tr("Selected hits: %1").arg(groupedDigits(offsetsIn(m_subject.selected))),
                        int(What::Selected));
    m_what->addItem(shown < *m_subject.found
                        ? tr("The first %1 of %2 hits found")
                              .arg(groupedDigits(shown), groupedDigits(*m_subject.found))
                        : tr("All hits found: %1").arg(groupedDigits(shown)),
                    int(What::Shown));
}

void ExportDialog::fillWithRows()
{
    const auto add = [this](const QString &text, What value) { m_what->addItem(text, int(value)); };
    if (!m_subject.selected.empty())
        add(tr("Selected rows: %1 offsets").arg(groupedDigits(offsetsIn(m_subject.selected))),
            What::Selected);
    if (!m_subject.shown.empty())
        add(tr("What the table holds: %1 offsets").arg(groupedDigits(offsetsIn(m_subject.shown))),
            What::Shown);
    add(tr("All of %1").arg(m_subject.title), What::Tab);
    if (m_subject.topicPartitions.size() > m_subject.partitions.size())
        add(tr("All of %1, partitions: %2")
                .arg(m_subject.topic, groupedDigits(m_subject.topicPartitions.size())),
            What::Topic);
    add(tr("A range of %1").arg(m_subject.title), What::Range);
}

void ExportDialog::buildForm()
{
    const bool takesTimes = m_subject.capabilities.offsetsByTime;
    m_from->setPlaceholderText(tr("start"));
    m_to->setPlaceholderText(tr("end"));
    m_to->setAccessibleName(tr("Up to, not including"));
    const QString places = takesTimes ? tr("An offset, start, end, −100 (before the end), or a "
                                           "time: 2026-11-30 14:05, 14:05, @-1h")
                                      : tr("An offset, start, end, or −100 (before the end)");
    m_from->setToolTip(places);
    m_to->setToolTip(places + tr("; not included"));
    auto *range = new QHBoxLayout(m_range);
    range->setContentsMargins({});
    range->addWidget(m_from, 1);
    auto *until = new QLabel(tr("u&p to, not including"));
    until->setBuddy(m_to);
    range->addWidget(until);
    range->addWidget(m_to, 1);
    m_filter->setPlaceholderText(tr("all records, or for example  json.id == 42 and size < 1 KiB"));
    m_filter->setMaxLength(int(search::kMaxFilterChars));
    m_filter->setClearButtonEnabled(true);
    m_format->addItem(tr("NDJSON, without loss"), int(ExportFormat::Ndjson));
    m_format->addItem(tr("CSV"), int(ExportFormat::Csv));
    m_format->addItem(tr("JSON as kcat prints it"), int(ExportFormat::Kcat));
    m_format->addItem(tr("One file a record"), int(ExportFormat::Raw));
    m_formatHint->setWordWrap(true);
    m_formatHint->setForegroundRole(QPalette::PlaceholderText);
    m_formatHint->setMinimumHeight(m_formatHint->fontMetrics().lineSpacing());
    auto *path = new QHBoxLayout;
    path->addWidget(m_path, 1);
    path->addWidget(m_browse);
    m_browse->setAutoDefault(false);

    m_form->addRow(tr("&What"), m_what);
    m_form->addRow(tr("Fro&m"), m_range);
    m_form->setRowVisible(m_range, false);
    if (auto *label = qobject_cast<QLabel *>(m_form->labelForField(m_range)))
        label->setBuddy(m_from);
    m_form->addRow(tr("F&ilter"), m_filter);
    m_form->addRow(tr("&Format"), m_format);
    m_form->addRow({}, m_formatHint);
    auto *fileLabel = new QLabel(tr("In&to"));
    fileLabel->setBuddy(m_path);
    m_form->addRow(fileLabel, path);
    m_form->addRow({}, m_replace);

    m_progress->setRange(0, kProgressSteps);
    m_progress->setTextVisible(true);
    m_progress->setAccessibleName(tr("Progress of the export"));
    // Room for it from the start: the window must not jump when it comes.
    for (QWidget *widget : QList<QWidget *>{m_progress, m_replace}) {
        QSizePolicy policy = widget->sizePolicy();
        policy.setRetainSizeWhenHidden(true);
        widget->setSizePolicy(policy);
    }
    auto *buttons = new QDialogButtonBox;
    buttons->addButton(m_export, QDialogButtonBox::ActionRole);
    buttons->addButton(m_open, QDialogButtonBox::ActionRole);
    buttons->addButton(m_close, QDialogButtonBox::RejectRole);
    m_close->setAutoDefault(false);
    m_open->setAutoDefault(false);
    m_open->hide();

    auto *layout = new QVBoxLayout(this);
    layout->addLayout(m_form);
    layout->addWidget(m_progress);
    layout->addWidget(m_status, 1);
    layout->addWidget(buttons);
    m_export->setDefault(true); // the dialog's by now, or it would be so until the focus moves
    setMinimumWidth(560);
}

ExportDialog::What ExportDialog::what() const
{
    return What{m_what->currentData().toInt()};
}

ExportFormat ExportDialog::format() const
{
    return ExportFormat{m_format->currentData().toInt()};
}

QString ExportDialog::suggestedPath() const
{
    const QString folder = m_path->text().isEmpty()
                               ? QStandardPaths::writableLocation(QStandardPaths::HomeLocation)
                               : QFileInfo(m_path->text()).path();
    const QString subject = m_subject.found         ? tr("%1 hits").arg(m_subject.title)
                            : what() == What::Topic ? m_subject.topic
                                                    : m_subject.title;
    return QDir::toNativeSeparators(QDir(folder).filePath(fileName(subject) + suffixOf(format())));
}

void ExportDialog::chooseFile()
{
    auto *chooser = new QFileDialog(this, tr("Export To"), m_path->text());
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setAcceptMode(QFileDialog::AcceptSave);
    chooser->setOption(QFileDialog::DontConfirmOverwrite); // the dialog asks
    chooser->setFileMode(QFileDialog::AnyFile);
    connect(chooser, &QFileDialog::fileSelected, this, [this](const QString &path) {
        m_isPathOurs = false;
        m_path->setText(QDir::toNativeSeparators(path));
    });
    chooser->open();
}

void ExportDialog::onFormatChanged()
{
    m_formatHint->setText(formatHint(format()));
    if (m_isPathOurs)
        m_path->setText(suggestedPath());
    onEdited();
}

std::optional<search::SearchScope> ExportDialog::scope()
{
    const bool takesTimes = m_subject.capabilities.offsetsByTime;
    const auto from = parsePlace(m_from->text(), LogPlace::start(), takesTimes);
    const auto to = parsePlace(m_to->text(), LogPlace::end(), takesTimes);
    if (from && to)
        return search::SearchScope{*from, *to};
    m_wrong = (from ? m_to : m_from)->toolTip() + u'.';
    return std::nullopt;
}

std::optional<ExportRequest> ExportDialog::request()
{
    m_wrong.clear();
    ExportRequest request;
    request.options.limits.isolation = m_subject.isolation;
    request.format = format();
    request.path = QDir::fromNativeSeparators(m_path->text().trimmed());
    request.overwrite = m_replace->isChecked();
    request.choice.partitions =
        what() == What::Topic ? m_subject.topicPartitions : m_subject.partitions;
    if (what() == What::Selected)
        request.choice.chosen = m_subject.selected;
    if (what() == What::Shown)
        request.choice.chosen = m_subject.shown;
    if (what() == What::Range) {
        const auto range = scope();
        if (!range)
            return std::nullopt;
        request.choice.scope = *range;
    }
    request.options.filter = m_filter->filterNow();
    if (m_filter->error()) {
        m_wrong = tr("Filter: %1").arg(m_filter->errorText());
        return std::nullopt;
    }
    if (request.path.isEmpty()) {
        m_wrong = tr("Where to?");
        return std::nullopt;
    }
    request.path = QFileInfo(request.path).absoluteFilePath();
    return request;
}

ExportDialog::Target ExportDialog::lookAt(const QString &path)
{
    Target target;
    target.hasFolder = QFileInfo(QFileInfo(path).path()).isDir();
    for (const QString &each : {path, path + u".part"_s}) {
        const QFileInfo info(each);
        if (info.isFile())
            target.files += each;
        else if (info.exists())
            target.other = each;
    }
    return target;
}

void ExportDialog::look(const QString &path)
{
    if (m_looking.isRunning())
        return; // its end looks again
    m_looking.start([path](const std::stop_token &) { return lookAt(path); },
                    [this, path](const Target &target) {
                        const auto wanted = m_run ? std::nullopt : request();
                        if (wanted && wanted->path != path)
                            look(wanted->path);
                        else if (wanted)
                            onSeen(*wanted, target);
                    });
}

void ExportDialog::onSeen(const ExportRequest &request, const Target &target)
{
    const bool isRaw = request.format == ExportFormat::Raw;
    m_replace->setVisible(!isRaw && !target.files.isEmpty());
    if (!target.hasFolder)
        m_wrong = tr("There is no folder %1.").arg(QFileInfo(request.path).path());
    else if (!target.other.isEmpty())
        m_wrong = tr("%1 is there already.").arg(target.other);
    else if (!target.files.isEmpty() && isRaw)
        m_wrong = tr("%1 is there already.").arg(target.files.constFirst());
    else if (!target.files.isEmpty() && !request.overwrite)
        m_wrong =
            tr("%1 is there already; “Replace” writes over it.").arg(target.files.constFirst());
    const bool starts = std::exchange(m_startsThen, false) && m_wrong.isEmpty();
    m_export->setEnabled(m_wrong.isEmpty());
    m_status->say(m_wrong, false);
    if (starts)
        start(request);
}

void ExportDialog::onEdited()
{
    if (m_run)
        return;
    m_startsThen = false;
    m_written.clear();
    m_open->hide();
    m_progress->hide(); // of the export before
    const auto wanted = request();
    m_export->setEnabled(wanted.has_value());
    m_status->say(m_wrong, false);
    if (wanted)
        look(wanted->path);
}

void ExportDialog::toggle()
{
    if (m_run) {
        m_run->cancel();
        return;
    }
    onEdited(); // what is there may be another than when it was typed
    m_startsThen = m_export->isEnabled();
}

void ExportDialog::start(const ExportRequest &request)
{
    m_run = std::make_unique<ExportHandle>(m_factory, m_subject.config, request);
    connect(m_run.get(), &ExportHandle::progressed, this, &ExportDialog::onProgress);
    connect(m_run.get(), &ExportHandle::finished, this, &ExportDialog::onFinished);
    m_progress->setValue(0);
    m_status->say(tr("Reading offsets…"));
    showRunning(true);
}

void ExportDialog::onProgress(const ExportProgress &progress)
{
    if (progress.allOffsets > 0)
        m_progress->setValue(
            int(double(progress.offsets) * kProgressSteps / double(progress.allOffsets)));
    const double seconds = double(std::max<qint64>(1, progress.elapsed.count())) / 1000;
    QString text = tr("%1: %2 of %3 offsets · records: %4 · %5 written · %6 records/s")
                       .arg(nameOf(progress.partition), groupedDigits(progress.offsets),
                            groupedDigits(progress.allOffsets), groupedDigits(progress.records),
                            byteText(progress.bytes),
                            groupedDigits(qint64(double(progress.records) / seconds)));
    if (progress.left)
        text += tr(" · about %1 left").arg(secondsText(*progress.left));
    m_status->say(text);
}

void ExportDialog::onFinished(const ExportSummary &summary)
{
    m_run.release()->deleteLater(); // it is in the midst of its signal
    showRunning(false);
    if (summary.finished)
        m_progress->setValue(kProgressSteps);
    const bool isClean = summary.finished && summary.findings + summary.undecided == 0 &&
                         !(m_subject.found && summary.missed > 0);
    if (summary.finished && format() == ExportFormat::Ndjson)
        m_written = summary.path;
    m_open->setVisible(!m_written.isEmpty());
    m_export->setEnabled(true);
    m_status->say(outcome(summary), isClean);
    m_close->setFocus();
}

QString ExportDialog::outcome(const ExportSummary &summary) const
{
    if (summary.path.isEmpty())
        return tr("Nothing was written. ") + errorText(*summary.error).full();
    const QString counted =
        tr("records: %1, offsets without a record: %2")
            .arg(groupedDigits(summary.records), groupedDigits(summary.withoutRecord));
    if (!summary.finished) {
        const QString why = summary.error->kind == ErrorKind::Cancelled
                                ? tr("Stopped.")
                                : errorText(*summary.error).full();
        return tr("%1 Not finished: %2 holds what was read before, in whole lines: %3; %4 up to "
                  "offset %5.")
            .arg(why, summary.path, counted, nameOf(summary.last),
                 groupedDigits(summary.lastOffset.value));
    }
    QString text = tr("%1: %2; that is each of %3 offsets.")
                       .arg(summary.path, counted, groupedDigits(summary.offsets));
    const bool hasNotes = format() == ExportFormat::Ndjson || format() == ExportFormat::Csv;
    const QString noted = hasNotes ? tr("; each is noted in the file.")
                                   : tr("; this format has no place to say which.");
    if (m_subject.found && summary.missed > 0)
        text += u' ' + tr("Hits without a record by now: %1").arg(groupedDigits(summary.missed)) +
                noted;
    if (summary.findings > 0)
        text += u' ' +
                tr("Damaged, too large or missing: %1").arg(groupedDigits(summary.findings)) +
                noted;
    if (summary.undecided > 0)
        text += u' ' + tr("Not decided, the filter would have taken too many steps: %1.")
                           .arg(groupedDigits(summary.undecided));
    if (summary.inexact > 0)
        text += u' ' + (format() == ExportFormat::Raw
                            ? tr("Records with a key, headers or a null value, which are not in "
                                 "the files: %1.")
                            : tr("Records with bytes that are no UTF-8, which are replaced: %1."))
                           .arg(groupedDigits(summary.inexact));
    return text;
}

void ExportDialog::showRunning(bool running)
{
    for (QWidget *widget :
         QList<QWidget *>{m_what, m_range, m_filter, m_format, m_path, m_browse, m_replace})
        widget->setEnabled(!running);
    m_progress->setVisible(running || m_progress->value() > 0);
    m_export->setText(running ? tr("&Stop") : tr("&Export"));
    m_close->setEnabled(!running);
    if (running)
        m_open->hide();
}

void ExportDialog::reject()
{
    if (!m_run) {
        QDialog::reject();
        return;
    }
    m_run->cancel();
}

} // namespace topicscope::ui
