#include "core/base/digits.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/payloadedit.h"

#include <QFileDialog>
#include <QLineEdit>

// Of a PayloadEdit, the page with a file's name.

namespace topicscope::ui
{

void PayloadEdit::onPathEdited()
{
    m_file.reset();
    m_fileWatcher.setFuture({}); // the answer about another path does not matter any more
    if (!m_path->text().isEmpty())
        m_fileWatcher.setFuture(lookAtFile(m_path->text(), m_setup.readAtOnce));
    evaluate();
}

void PayloadEdit::onFileLooked()
{
    if (m_fileWatcher.future().resultCount() > 0)
        m_file = m_fileWatcher.result();
    evaluate();
}

void PayloadEdit::onBrowse()
{
    auto *dialog = new QFileDialog(this, tr("File with the %1").arg(m_setup.noun));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, m_path, &QLineEdit::setText);
    dialog->open();
}

Payload PayloadEdit::evaluatedFile()
{
    m_fileSize->setLine({});
    if (m_path->text().isEmpty())
        return Payload::invalid(tr("no file is chosen"));
    if (!m_file)
        return Payload::invalid(tr("the file is being looked at"));
    if (!*m_file) {
        m_fileSize->setLine(tr("not readable"));
        return Payload::invalid((*m_file).error().detail);
    }
    const PayloadFile &file = (*m_file).value();
    m_fileSize->setLine(tr("%1 bytes, read when it is sent").arg(groupedDigits(file.size)));
    Payload payload;
    payload.kind = Payload::Kind::File;
    payload.size = file.size;
    payload.path = m_path->text();
    payload.bytes = file.bytes;
    if (m_setup.readAtOnce >= 0 && !file.bytes)
        return Payload::invalid(
            tr("the file has %1 bytes, more than the %2 a %3 may have")
                .arg(groupedDigits(file.size), groupedDigits(m_setup.readAtOnce), m_setup.noun));
    return payload;
}

} // namespace topicscope::ui
