#include "ui/dialogs/comparedialog.h"

#include "core/base/bytewriter.h"
#include "core/base/digits.h"
#include "core/records/headers.h"
#include "core/records/jsontext.h"
#include "core/records/payloaddetect.h"
#include "core/records/structurewriter.h"
#include "core/records/timestyle.h"
#include "ui/delegates/diffdelegate.h"
#include "ui/models/diffmodel.h"

#include <QAction>
#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

using Bytes = std::optional<std::span<const std::byte>>; ///< nullopt: null

/// As no text is drawn: ‹ never stands for itself there.
const QString kNull = u"‹null›"_s;

Bytes payloadOf(const ComparedRecord &from, PayloadPart part)
{
    const Record &record = from.record();
    if (part == PayloadPart::Key)
        return record.flags & RecordFlag::HasKey ? Bytes(from.chunk->key(record)) : std::nullopt;
    return record.flags & RecordFlag::NullValue ? std::nullopt : Bytes(from.chunk->value(record));
}

struct SideText {
    QString text;
    QString problem = {};
};

SideText asText(const ComparedRecord &from, PayloadPart part, const std::stop_token &stop)
{
    const Bytes bytes = payloadOf(from, part);
    if (!bytes)
        return {kNull};
    const auto &chosen = from.formats.of(part);
    const PayloadCodec &format = chosen ? *chosen : *PayloadCodec::automatic();
    const DecodedPayload decoded =
        format.layOut(*bytes, {from.chunk->partition().topic, part, {}, stop});
    QString problem = decoded.problem;
    if (problem.isEmpty() && decoded.cut)
        problem = CompareDialog::tr("only its first %1 characters are compared")
                      .arg(groupedDigits(qint64(decoded.text.size())));
    return {decoded.text, problem};
}

SideText asJson(const ComparedRecord &from, PayloadPart part, const std::stop_token &stop)
{
    constexpr size_t kIdBytes = 5;
    const Bytes bytes = payloadOf(from, part);
    if (!bytes)
        return {kNull};
    const size_t first = schemaIdOf(*bytes) ? kIdBytes : 0;
    if (const auto sorted = jsonSorted(bytes->subspan(first), {.stop = stop}))
        return {*sorted};
    else
        return {asText(from, part, stop).text,
                CompareDialog::tr("no JSON that can be sorted: %1").arg(sorted.error().detail)};
}

/// A line each, and no two different ones alike.
SideText asHeaders(const ComparedRecord &from)
{
    const auto headers = readHeaders(from.chunk->headers(from.record()));
    if (!headers)
        return {{}, headers.error().detail};
    StructureWriter out({PayloadCodec::kMaxLaidOutChars});
    const auto add = [&out](const QByteArray &bytes) {
        if (isValidUtf8(asBytes(bytes)))
            out.quoted(asBytes(bytes));
        else
            out.hex(asBytes(bytes));
    };
    for (const RecordHeader &header : *headers) {
        add(header.name);
        out.write(u": ");
        if (header.value)
            add(*header.value);
        else
            out.write(kNull);
        out.write(u"\n");
    }
    return {out.take().text};
}

QString noteOf(const SideText &left, const SideText &right)
{
    QStringList notes;
    if (!left.problem.isEmpty())
        notes += CompareDialog::tr("Left: %1.").arg(left.problem);
    if (!right.problem.isEmpty())
        notes += CompareDialog::tr("Right: %1.").arg(right.problem);
    return notes.join(u' ');
}

std::shared_ptr<const SideBySide> linesBeside(SideText left, SideText right,
                                              const std::stop_token &stop)
{
    auto both = std::make_shared<SideBySide>();
    both->note = noteOf(left, right);
    const auto lines = std::make_shared<const std::pair<DiffLines, DiffLines>>(
        DiffLines(std::move(left.text)), DiffLines(std::move(right.text)));
    both->rows = diffLines(lines->first, lines->second, stop);
    both->left = [lines](int line) { return lines->first.line(line).toString(); };
    both->right = [lines](int line) { return lines->second.line(line).toString(); };
    return both;
}

std::shared_ptr<const SideBySide> bytesBeside(const ComparedRecord &left,
                                              const ComparedRecord &right, PayloadPart part)
{
    const Bytes leftBytes = payloadOf(left, part);
    const Bytes rightBytes = payloadOf(right, part);
    auto both = std::make_shared<SideBySide>();
    both->hasLineNumbers = false;
    both->note = noteOf({{}, leftBytes ? QString() : CompareDialog::tr("null")},
                        {{}, rightBytes ? QString() : CompareDialog::tr("null")});
    const auto leftSpan = leftBytes.value_or(std::span<const std::byte>());
    const auto rightSpan = rightBytes.value_or(std::span<const std::byte>());
    auto diff = std::make_shared<BytesDiff>(diffBytes(leftSpan, rightSpan));
    both->rows = std::move(diff->rows);
    both->left = [diff, leftSpan, owner = left.chunk](int row) {
        const BytePiece &piece = diff->left[size_t(row)];
        return hexDump(leftSpan, piece.begin, piece.size);
    };
    both->right = [diff, rightSpan, owner = right.chunk](int row) {
        const BytePiece &piece = diff->right[size_t(row)];
        return hexDump(rightSpan, piece.begin, piece.size);
    };
    return both;
}

std::shared_ptr<const SideBySide> beside(const ComparedRecord &left, const ComparedRecord &right,
                                         CompareDialog::Page page, PayloadPart part,
                                         const std::stop_token &stop)
{
    switch (page) {
    case CompareDialog::Page::Text:
        return linesBeside(asText(left, part, stop), asText(right, part, stop), stop);
    case CompareDialog::Page::Json:
        return linesBeside(asJson(left, part, stop), asJson(right, part, stop), stop);
    case CompareDialog::Page::Bytes:
        return bytesBeside(left, right, part);
    case CompareDialog::Page::Headers:
        return linesBeside(asHeaders(left), asHeaders(right), stop);
    }
    return {};
}

} // namespace

CompareDialog::CompareDialog(ComparedRecord left, ComparedRecord right, QWidget *parent)
    : QDialog(parent)
    , m_left(std::move(left))
    , m_right(std::move(right))
    , m_model(new DiffModel(this))
    , m_view(new QTableView)
    , m_tabs(new QTabBar)
    , m_key(new QToolButton)
    , m_value(new QToolButton)
    , m_previous(new QToolButton)
    , m_next(new QToolButton)
    , m_note(new QLabel)
    , m_summary(new QLabel)
{
    setWindowTitle(tr("Compare Records"));
    setObjectName(u"compareDialog"_s);
    build();
    compare();
}

CompareDialog::~CompareDialog() = default;

QLabel *CompareDialog::heading(const ComparedRecord &from, const QString &name)
{
    const TopicPartition &place = from.chunk->partition();
    const Record &record = from.record();
    QString text = tr("%1 / %2 · offset %3")
                       .arg(place.topic, QString::number(place.partition.value),
                            groupedDigits(record.offset.value));
    if (const auto timestamp = from.chunk->timestampMs(record))
        text += u" · "_s + TimeStyle::current().text(*timestamp);
    auto *label = new QLabel(text);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    return label;
}

void CompareDialog::build()
{
    m_tabs->setObjectName(u"comparePages"_s);
    m_tabs->addTab(tr("&Text"));
    m_tabs->addTab(tr("&JSON"));
    m_tabs->addTab(tr("&Bytes"));
    m_tabs->addTab(tr("&Headers"));
    m_tabs->setDrawBase(false);
    m_tabs->setTabToolTip(int(Page::Json), tr("With the members of objects sorted by name"));
    m_tabs->setTabVisible(int(Page::Headers),
                          m_left.capabilities.headers || m_right.capabilities.headers);
    connect(m_tabs, &QTabBar::currentChanged, this, &CompareDialog::compare);

    const auto buildPart = [this](QToolButton *button, const QString &text, PayloadPart part) {
        button->setText(text);
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setAutoRaise(true);
        button->setChecked(part == m_part);
        button->setVisible(m_left.capabilities.keys || m_right.capabilities.keys);
        connect(button, &QToolButton::clicked, this, [this, part] { setPart(part); });
    };
    buildPart(m_value, tr("Value"), PayloadPart::Value);
    buildPart(m_key, tr("Key"), PayloadPart::Key);
    m_value->setObjectName(u"compareValue"_s);
    m_key->setObjectName(u"compareKey"_s);

    const auto buildStep = [this](QToolButton *button, Qt::ArrowType arrow, const QString &text,
                                  const QKeySequence &keys, int step) {
        button->setArrowType(arrow);
        button->setAutoRaise(true);
        // Not the button's own shortcut, which clicks it a little later.
        connect(new QShortcut(keys, this), &QShortcut::activated, this,
                [this, step] { goToDifference(step); });
        button->setToolTip(u"%1 (%2)"_s.arg(text, keys.toString(QKeySequence::NativeText)));
        button->setAccessibleName(text);
        connect(button, &QToolButton::clicked, this, [this, step] { goToDifference(step); });
    };
    buildStep(m_previous, Qt::UpArrow, tr("Previous difference"), tr("Shift+F8"), -1);
    buildStep(m_next, Qt::DownArrow, tr("Next difference"), tr("F8"), 1);
    m_previous->setObjectName(u"previousDifference"_s);
    m_next->setObjectName(u"nextDifference"_s);
    m_summary->setObjectName(u"compareSummary"_s);
    m_note->setObjectName(u"compareNote"_s);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    m_note->hide();

    m_view->setObjectName(u"compareTable"_s);
    m_view->setAccessibleName(tr("Both records, line by line"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new DiffDelegate(m_view));
    m_view->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setTabKeyNavigation(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setDefaultSectionSize(QFontMetrics(m_view->font()).height() + 3);
    QHeaderView &header = *m_view->horizontalHeader();
    header.setHighlightSections(false);
    header.setSectionResizeMode(QHeaderView::Fixed);
    header.setSectionResizeMode(DiffModel::Left, QHeaderView::Stretch);
    header.setSectionResizeMode(DiffModel::Right, QHeaderView::Stretch);
    header.resizeSection(DiffModel::Mark, 26);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &CompareDialog::updateSummary);
    auto *copy = new QAction(tr("&Copy line"), m_view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &CompareDialog::copyCurrent);
    m_view->addAction(copy);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);

    auto *bar = new QHBoxLayout;
    bar->addWidget(m_tabs);
    bar->addSpacing(12);
    bar->addWidget(m_value);
    bar->addWidget(m_key);
    bar->addStretch(1);
    bar->addWidget(m_summary);
    bar->addWidget(m_previous);
    bar->addWidget(m_next);
    auto *headings = new QHBoxLayout;
    headings->addWidget(heading(m_left, u"compareLeft"_s), 1);
    headings->addWidget(heading(m_right, u"compareRight"_s), 1);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(bar);
    layout->addLayout(headings);
    layout->addWidget(m_note);
    layout->addWidget(m_view, 1);
    resize(1220, 660); // two rows of bytes
    m_view->setFocus();
}

void CompareDialog::setPage(Page page)
{
    m_tabs->setCurrentIndex(int(page));
}

void CompareDialog::setPart(PayloadPart part)
{
    m_part = part;
    m_key->setChecked(part == PayloadPart::Key);
    m_value->setChecked(part == PayloadPart::Value);
    compare();
}

void CompareDialog::compare()
{
    m_model->clear();
    m_note->hide();
    const Page page = Page(m_tabs->currentIndex());
    m_key->setEnabled(page != Page::Headers);
    m_value->setEnabled(page != Page::Headers);
    m_run.start([left = m_left, right = m_right, page, part = m_part](
                    const std::stop_token &stop) { return beside(left, right, page, part, stop); },
                [this](const std::shared_ptr<const SideBySide> &both) { showBoth(both); });
    updateSummary();
}

void CompareDialog::showBoth(const std::shared_ptr<const SideBySide> &both)
{
    m_model->show(both);
    m_note->setText(both->note);
    m_note->setVisible(!both->note.isEmpty());
    const QFontMetrics metrics(m_view->font());
    const int digits = metrics.horizontalAdvance(groupedDigits(qint64(both->rows.size()))) + 14;
    for (const int column : {DiffModel::LeftNumber, DiffModel::RightNumber}) {
        m_view->setColumnHidden(column, !both->hasLineNumbers);
        m_view->horizontalHeader()->resizeSection(
            column, std::max(digits, metrics.horizontalAdvance(u"Line"_s) + 14));
    }
    goToDifference(1);
    updateSummary();
}

void CompareDialog::goToDifference(int step)
{
    const int from = m_view->currentIndex().isValid() ? m_view->currentIndex().row() : -1;
    const int row = m_model->nextDifference(from, step);
    if (row < 0)
        return;
    const QModelIndex place = m_model->index(row, DiffModel::Left);
    m_view->setCurrentIndex(place);
    m_view->scrollTo(place, QAbstractItemView::PositionAtCenter);
}

void CompareDialog::copyCurrent()
{
    const QModelIndex current = m_view->currentIndex();
    if (!current.isValid())
        return;
    const auto textOf = [&](int column) {
        return current.siblingAtColumn(column).data().toString();
    };
    const QString left = textOf(DiffModel::Left);
    const QString right = textOf(DiffModel::Right);
    QGuiApplication::clipboard()->setText(left == right ? left : left + u'\n' + right);
}

void CompareDialog::updateSummary()
{
    const int all = m_model->differences();
    const int row = m_view->currentIndex().isValid() ? m_view->currentIndex().row() : -1;
    m_next->setEnabled(m_model->nextDifference(row, 1) >= 0);
    m_previous->setEnabled(m_model->nextDifference(row, -1) >= 0);
    if (m_run.isRunning())
        m_summary->setText(tr("Comparing…"));
    else if (all == 0)
        m_summary->setText(tr("No differences"));
    else if (const int here = m_model->differenceAt(row); here >= 0)
        m_summary->setText(
            tr("Difference %1 of %2").arg(groupedDigits(here + 1), groupedDigits(all)));
    else
        m_summary->setText(tr("Differences: %1").arg(groupedDigits(all)));
}

} // namespace topicscope::ui
