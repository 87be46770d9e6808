#include "ui/dialogs/preferencesdialog.h"

#include "ui/dialogs/timezonebox.h"
#include "ui/settings/uisettings.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kKib = 1024;
constexpr qint64 kMib = kKib * kKib;

QLabel *hint(const QString &text)
{
    auto *label = new QLabel(text);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setWordWrap(true);
    return label;
}

} // namespace

PreferencesDialog::PreferencesDialog(UiSettings *settings, QWidget *parent)
    : QDialog(parent)
    , m_settings(settings)
    , m_held(new QSpinBox)
    , m_maxBytes(new QSpinBox)
    , m_timeZone(new TimeZoneBox)
    , m_colors(new QComboBox)
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel))
{
    setObjectName(u"preferencesDialog"_s);
    setWindowTitle(tr("Preferences"));

    m_held->setObjectName(u"heldEdit"_s);
    m_held->setRange(int(UiSettings::kMinHeldBytes / kMib), int(UiSettings::kMaxHeldBytes / kMib));
    m_held->setSuffix(tr(" MiB"));
    m_held->setValue(int(settings->heldBytes() / kMib));
    m_maxBytes->setObjectName(u"maxBytesEdit"_s);
    m_maxBytes->setRange(int(UiSettings::kMinMaxBytes / kKib),
                         int(UiSettings::kMaxMaxBytes / kKib));
    m_maxBytes->setSuffix(tr(" KiB"));
    m_maxBytes->setValue(int(settings->maxBytes() / kKib));
    m_timeZone->setObjectName(u"timeZoneBox"_s);
    m_timeZone->setTimeStyle(settings->timeStyle());
    m_colors->setObjectName(u"colorsBox"_s);
    m_colors->addItem(tr("Like the system"), int(ColorScheme::System));
    m_colors->addItem(tr("Light"), int(ColorScheme::Light));
    m_colors->addItem(tr("Dark"), int(ColorScheme::Dark));
    m_colors->setCurrentIndex(m_colors->findData(int(settings->colorScheme())));

    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_timeZone, &QComboBox::editTextChanged, this, [this] {
        m_buttons->button(QDialogButtonBox::Ok)->setEnabled(m_timeZone->timeStyle().has_value());
    });

    auto *form = new QFormLayout(this);
    form->addRow(tr("&Memory of a tab"), m_held);
    form->addRow({}, hint(tr("What the records of one tab may hold; further ones are fetched again "
                             "as you scroll.")));
    form->addRow(tr("Max &bytes of a fetch"), m_maxBytes);
    form->addRow({}, hint(tr("A record larger than this is shown as such and not fetched, as a "
                             "consumer with this limit meets it.")));
    form->addRow(tr("&Times in"), m_timeZone);
    form->addRow({}, hint(tr("For what is shown, typed and exported; each time says how far it is "
                             "from UTC.")));
    form->addRow(tr("&Colours"), m_colors);
    form->addRow(m_buttons);
    m_held->setFocus();
}

void PreferencesDialog::accept()
{
    m_settings->setHeldBytes(m_held->value() * kMib);
    m_settings->setMaxBytes(qint32(m_maxBytes->value() * kKib));
    if (const auto style = m_timeZone->timeStyle())
        m_settings->setTimeStyle(*style);
    m_settings->setColorScheme(ColorScheme{m_colors->currentData().toInt()});
    QDialog::accept();
}

} // namespace topicscope::ui
