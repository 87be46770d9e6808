#include "ui/panels/formatmenu.h"

#include "core/decode/protobuffiles.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

const QString kAutomatic = u"auto"_s;
const QString kRegistry = u"registry"_s;
const QString kAvro = u"avro:"_s;
const QString kProtobuf = u"protobuf:"_s;

/// For a menu, where '&' marks a key.
QString plain(QString text)
{
    return text.replace(u'&', u"&&"_s);
}

/// What a dialog belongs to: not to a menu, which is a window of its own and closed by then.
QWidget *ownerOf(const QMenu *menu)
{
    QWidget *owner = menu->parentWidget();
    while (qobject_cast<QMenu *>(owner))
        owner = owner->parentWidget();
    return owner;
}

} // namespace

FormatMenu::FormatMenu(QMenu *menu, std::function<State()> state)
    : QObject(menu)
    , m_menu(menu)
    , m_state(std::move(state))
{
    connect(menu, &QMenu::aboutToShow, this, &FormatMenu::fill);
    fill(); // a menu without entries does not open
}

void FormatMenu::offer(QMenu *menu, const QString &text, const QString &name)
{
    QAction *action = menu->addAction(text);
    action->setCheckable(true);
    action->setChecked(name == m_current);
    connect(action, &QAction::triggered, this, [this, name] { emit chosen(name); });
}

void FormatMenu::fill()
{
    const State state = m_state();
    m_current = state.current ? state.current->name() : kAutomatic;
    delete m_numbers.data();
    m_numbers.clear();
    m_menu->clear();
    offer(m_menu, tr("&As It Seems to Be"), kAutomatic);
    if (state.hasRegistry)
        offer(m_menu, tr("By the Schema &Registry"), kRegistry);
    m_menu->addSeparator();
    for (const PayloadCodec *format : PayloadCodec::all()) {
        const bool isNumber = format->fixedBytes() > 0;
        if (isNumber && !m_numbers)
            m_numbers = m_menu->addMenu(tr("&Number or UUID"));
        offer(isNumber ? m_numbers.get() : m_menu, plain(format->title()), format->name());
    }
    m_menu->addSeparator();
    if (m_current.contains(u':')) {
        const QString file = QFileInfo(m_current.section(u':', 1)).fileName();
        offer(m_menu, plain(tr("%1, by %2").arg(state.current->title(), file)), m_current);
    }
    m_menu->addAction(tr("A&vro by Schema File…"), this, [this] {
        chooseFile(kAvro, tr("Avro Schema"), tr("Avro schemas (*.avsc *.json);;All files (*)"));
    });
    m_menu->addAction(tr("&Protobuf by Schema File…"), this, [this] {
        chooseFile(kProtobuf, tr("Protobuf Schema"),
                   tr("Protobuf schemas (*.proto *.desc *.pb *.protoset);;All files (*)"));
    });
}

void FormatMenu::chooseFile(const QString &kind, const QString &title, const QString &filter)
{
    const QString before =
        m_current.startsWith(kind) ? m_current.sliced(kind.size()).section(u'#', 0, 0) : QString();
    auto *dialog = new QFileDialog(ownerOf(m_menu), title, before, filter);
    dialog->setObjectName(u"schemaFileDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this, kind](const QString &file) {
        if (kind == kProtobuf)
            findMessages(file);
        else
            emit chosen(kind + file);
    });
    dialog->open();
}

void FormatMenu::findMessages(const QString &file)
{
    m_reading.start(
        [file](const std::stop_token &) {
            QStringList names;
            if (const auto schema = readProtobufFile(file); schema && schema->topLevel.size() > 1) {
                for (const auto &message : schema->messages)
                    names += message.name;
                names.sort();
            }
            return names;
        },
        [this, file](const QStringList &messages) {
            // What is wrong with the file is told where records are read by it.
            if (messages.isEmpty())
                emit chosen(kProtobuf + file);
            else
                chooseMessage(file, messages);
        });
}

void FormatMenu::chooseMessage(const QString &file, const QStringList &messages)
{
    auto *dialog = new QInputDialog(ownerOf(m_menu));
    dialog->setObjectName(u"messageDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Protobuf Message"));
    dialog->setLabelText(tr("Which message of %1?").arg(QFileInfo(file).fileName()));
    dialog->setComboBoxItems(messages);
    dialog->setComboBoxEditable(false);
    connect(dialog, &QInputDialog::textValueSelected, this, [this, file](const QString &message) {
        emit chosen(kProtobuf + file + u'#' + message);
    });
    dialog->open();
}

} // namespace topicscope::ui
