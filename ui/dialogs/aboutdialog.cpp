#include "ui/dialogs/aboutdialog.h"

#include "core/profiles/propertycatalog.h"
#include "ui/theme/icons.h"

#include <QCoreApplication>
#include <QMessageBox>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

void showAboutDialog(QWidget *parent, const PropertyCatalog *kafka)
{
    const auto tr = [](const char *text) {
        return QCoreApplication::translate("AboutDialog", text);
    };
    auto *box = new QMessageBox(parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(u"aboutDialog"_s);
    box->setWindowTitle(tr("About Topicscope"));
    box->setIconPixmap(icon(IconName::Topicscope).pixmap(QSize(64, 64)));
    box->setText(tr("<h3>Topicscope %1</h3>").arg(QStringLiteral(TOPICSCOPE_VERSION)));
    box->setInformativeText(
        tr("Looks into the topics of log-structured brokers: what is really in a partition, "
           "whether "
           "its bytes are intact, and where a record will land before it is published.\n\n"
           "MIT licence. Built with Qt %1, running on Qt %2.")
            .arg(QStringLiteral(QT_VERSION_STR), QString::fromLatin1(qVersion())));
    if (kafka) {
        QString text = tr("Apache Kafka through %1.").arg(kafka->library());
        const QStringList missing = kafka->missingFeatures();
        if (!missing.isEmpty())
            text += u"\n\n"_s + tr("Not in this version: %1.").arg(missing.join(u", "_s));
        box->setInformativeText(box->informativeText() + u"\n\n"_s + text);
    }
    box->setStandardButtons(QMessageBox::Close);
    box->open();
}

} // namespace topicscope::ui
