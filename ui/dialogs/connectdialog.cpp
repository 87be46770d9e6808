#include "ui/dialogs/connectdialog.h"

#include "core/profiles/connectionstore.h"
#include "ui/dialogs/connectiontest.h"
#include "ui/theme/icons.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;
using std::chrono::milliseconds;

namespace
{

QSpinBox *timeoutBox(const QString &name)
{
    auto *box = new QSpinBox;
    box->setObjectName(name);
    box->setRange(int(ConnectionStore::kMinTimeout.count()),
                  int(ConnectionStore::kMaxTimeout.count()));
    box->setSingleStep(1000);
    box->setSuffix(ConnectDialog::tr(" ms"));
    box->setGroupSeparatorShown(true);
    return box;
}

} // namespace

ConnectDialog::ConnectDialog(const SessionFactory &factory, Purpose purpose, QWidget *parent)
    : QDialog(parent)
    , m_purpose(purpose)
    , m_test(new ConnectionTest(factory, this))
    , m_name(new QLineEdit)
    , m_address(new QLineEdit)
    , m_readOnly(new QCheckBox(tr("&Read-only: refuse to publish")))
    , m_keep(new QCheckBox(tr("&Keep in the list of connections")))
    , m_advancedButton(new QToolButton)
    , m_advanced(new QWidget)
    , m_connectTimeout(timeoutBox(u"connectTimeout"_s))
    , m_requestTimeout(timeoutBox(u"requestTimeout"_s))
    , m_publishTimeout(timeoutBox(u"publishTimeout"_s))
    , m_testButton(new QPushButton(tr("&Test")))
    , m_resultIcon(new QLabel)
    , m_result(new QLabel)
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel))
{
    setWindowTitle(purpose == Purpose::Connect ? tr("Connect to a Broker")
                   : purpose == Purpose::Add   ? tr("Add Connection")
                                               : tr("Edit Connection"));
    m_name->setObjectName(u"name"_s);
    m_address->setObjectName(u"address"_s);
    m_readOnly->setObjectName(u"readOnly"_s);
    m_keep->setObjectName(u"keep"_s);
    m_testButton->setObjectName(u"testButton"_s);
    m_result->setObjectName(u"result"_s);
    m_buttons->button(QDialogButtonBox::Ok)->setObjectName(u"okButton"_s);
    buildForm();

    connect(m_address, &QLineEdit::textChanged, this, &ConnectDialog::onEdited);
    for (QSpinBox *box : {m_connectTimeout, m_requestTimeout, m_publishTimeout})
        connect(box, &QSpinBox::valueChanged, this, &ConnectDialog::onEdited);
    connect(m_testButton, &QPushButton::clicked, this, &ConnectDialog::toggleTest);
    connect(m_test, &ConnectionTest::finished, this, &ConnectDialog::onTested);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::finished, m_test, &ConnectionTest::cancel);
    setConfig({});
    m_address->clear();
}

void ConnectDialog::buildForm()
{
    m_name->setMaxLength(ConnectionStore::kMaxNameChars);
    m_name->setPlaceholderText(tr("as its address"));
    m_address->setMaxLength(300);
    m_address->setPlaceholderText(u"127.0.0.1:9092"_s);
    m_address->setToolTip(tr("host, host:port or [IPv6 address]:port; the port is 9092 when there "
                             "is none. With kafka:// in front, an Apache Kafka cluster: one or "
                             "several of those with commas between."));
    m_readOnly->setToolTip(
        tr("Nothing can be published over this connection, whatever asks for it"));
    m_keep->setChecked(true);
    m_keep->setVisible(m_purpose == Purpose::Connect);
    buildAdvanced();
    // Room for two lines from the start: the window must not jump when a result comes.
    m_result->setWordWrap(true);
    m_result->setTextFormat(Qt::PlainText);
    m_result->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_result->setMinimumHeight(2 * m_result->fontMetrics().lineSpacing());
    m_result->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_resultIcon->setFixedWidth(style()->pixelMetric(QStyle::PM_SmallIconSize));
    m_testButton->setAutoDefault(false);

    auto *form = new QFormLayout;
    form->addRow(tr("&Address"), m_address);
    form->addRow(tr("&Name"), m_name);
    form->addRow({}, m_readOnly);
    form->addRow({}, m_keep);
    form->addRow({}, m_advancedButton);
    form->addRow(m_advanced);
    auto *result = new QHBoxLayout;
    result->addWidget(m_testButton, 0, Qt::AlignVCenter);
    result->addWidget(m_resultIcon);
    result->addWidget(m_result, 1);
    QPushButton *ok = m_buttons->button(QDialogButtonBox::Ok);
    ok->setText(m_purpose == Purpose::Connect ? tr("&Connect")
                : m_purpose == Purpose::Add   ? tr("A&dd")
                                              : tr("&Save"));
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addStretch();
    layout->addLayout(result);
    layout->addWidget(m_buttons);
    setMinimumWidth(480);
    m_address->setFocus();
}

void ConnectDialog::buildAdvanced()
{
    m_advancedButton->setObjectName(u"advancedButton"_s);
    m_advancedButton->setText(tr("Ad&vanced"));
    m_advancedButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_advancedButton->setArrowType(Qt::RightArrow);
    m_advancedButton->setCheckable(true);
    m_advancedButton->setAutoRaise(true);
    m_advancedButton->setFocusPolicy(Qt::StrongFocus);
    auto *form = new QFormLayout(m_advanced);
    form->setContentsMargins(16, 0, 0, 0);
    form->addRow(tr("T&ime to connect"), m_connectTimeout);
    form->addRow(tr("Time for an ans&wer"), m_requestTimeout);
    form->addRow(tr("Time for a p&ublish"), m_publishTimeout);
    m_advanced->hide();
    connect(m_advancedButton, &QToolButton::toggled, this, [this](bool shown) {
        m_advancedButton->setArrowType(shown ? Qt::DownArrow : Qt::RightArrow);
        m_advanced->setVisible(shown);
        adjustSize();
    });
}

void ConnectDialog::setConfig(const SessionConfig &config)
{
    m_base = config;
    m_address->setText(config.address());
    m_name->setText(config.name == config.endpoint() ? QString() : config.name);
    m_readOnly->setChecked(config.readOnly);
    m_connectTimeout->setValue(int(config.connectTimeout.count()));
    m_requestTimeout->setValue(int(config.requestTimeout.count()));
    m_publishTimeout->setValue(int(config.publishTimeout.count()));
    onEdited();
}

std::optional<SessionConfig> ConnectDialog::config() const
{
    SessionConfig config = m_base;
    config.engine = Engine::Booblik;
    config.properties.remove(u"bootstrap.servers"_s);
    if (!addressProblem().isEmpty() || !config.setBroker(m_address->text()))
        return std::nullopt;
    config.name = m_name->text().trimmed();
    if (config.name.isEmpty())
        config.name = config.endpoint();
    config.readOnly = m_readOnly->isChecked();
    config.connectTimeout = milliseconds(m_connectTimeout->value());
    config.requestTimeout = milliseconds(m_requestTimeout->value());
    config.publishTimeout = milliseconds(m_publishTimeout->value());
    return config;
}

bool ConnectDialog::isKept() const
{
    return m_purpose != Purpose::Connect || m_keep->isChecked();
}

/// Empty when there is none, and when nothing has been entered yet.
QString ConnectDialog::addressProblem() const
{
    QString text = m_address->text().trimmed();
    SessionConfig tried;
    const bool understood = tried.setBroker(text);
    if (tried.engine == Engine::Kafka)
        text.remove(u"kafka://"_s);
    if (std::any_of(text.begin(), text.end(), [](QChar c) { return c.isSpace() || c == u'/'; }))
        return tr("The address is a host and a port, without blanks and without “http://”.");
    if (!understood)
        return tr("The address needs a port from 1 to 65535: host:port or [IPv6 address]:port.");
    return {};
}

void ConnectDialog::onEdited()
{
    m_test->cancel(); // it was about something else
    m_testButton->setText(tr("&Test"));
    const QString problem = addressProblem();
    const bool usable = problem.isEmpty() && !m_address->text().trimmed().isEmpty();
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(usable);
    m_testButton->setEnabled(usable);
    showResult(problem, true);
}

void ConnectDialog::toggleTest()
{
    if (m_test->isRunning()) {
        m_test->cancel();
        m_testButton->setText(tr("&Test"));
        showResult(tr("Stopped."), true);
        return;
    }
    if (const auto tried = config()) {
        m_testButton->setText(tr("S&top"));
        showResult(tr("Connecting to %1…").arg(tried->endpoint()), false);
        m_resultIcon->clear();
        m_test->start(*tried);
    }
}

void ConnectDialog::onTested(bool ok, const QString &words)
{
    m_testButton->setText(tr("&Test"));
    showResult(words, !ok);
}

void ConnectDialog::showResult(const QString &text, bool warning)
{
    m_result->setText(text);
    const int size = style()->pixelMetric(QStyle::PM_SmallIconSize);
    const QIcon sign =
        warning ? icon(IconName::Warning, Tone::Warning) : icon(IconName::Verified, Tone::Good);
    m_resultIcon->setPixmap(text.isEmpty() ? QPixmap() : sign.pixmap(size));
}

} // namespace topicscope::ui
