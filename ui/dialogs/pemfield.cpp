#include "ui/dialogs/pemfield.h"

#include "ui/theme/icons.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype kMaxPem = 100'000;
} // namespace

PemField::PemField(const QString &name, const QString &title, QWidget *parent)
    : QWidget(parent)
    , m_title(title)
    , m_line(new QLineEdit)
{
    m_line->setObjectName(name);
    m_line->setPlaceholderText(tr("file"));
    m_line->setClearButtonEnabled(true);
    auto *choose = new QToolButton;
    choose->setText(tr("File…"));
    choose->setAccessibleName(m_title);
    auto *paste = new QToolButton;
    paste->setObjectName(name + u"Paste"_s);
    paste->setText(tr("Paste"));
    paste->setToolTip(tr("Take PEM text from the clipboard, where there is no file"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_line, 1);
    layout->addWidget(choose);
    layout->addWidget(paste);
    setFocusProxy(m_line);
    connect(choose, &QToolButton::clicked, this, &PemField::chooseFile);
    connect(paste, &QToolButton::clicked, this, &PemField::pastePem);
    connect(m_line, &QLineEdit::textEdited, this, [this] { m_pem.clear(); });
    connect(m_line, &QLineEdit::textChanged, this, [this](const QString &text) {
        if (text.isEmpty())
            m_pem.clear();
        emit changed();
    });
}

void PemField::setFile(const QString &file)
{
    m_pem.clear();
    m_line->setText(file);
}

void PemField::setPem(const QString &pem)
{
    m_pem = pem;
    m_line->setText(pem.isEmpty() ? QString() : tr("PEM text, %1 characters").arg(pem.size()));
}

QString PemField::file() const
{
    return m_pem.isEmpty() ? m_line->text().trimmed() : QString();
}

void PemField::chooseFile()
{
    auto *dialog = new QFileDialog(this, m_title, file());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &PemField::setFile);
    dialog->open();
}

void PemField::pastePem()
{
    const QString text = QApplication::clipboard()->text().left(kMaxPem);
    if (text.contains(u"-----BEGIN "_s))
        setPem(text);
}

} // namespace topicscope::ui
