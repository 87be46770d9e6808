#include "ui/dialogs/doctordialog.h"

#include "core/base/digits.h"
#include "ui/dialogs/doctorrun.h"
#include "ui/errortext.h"
#include "ui/theme/icons.h"
#include "ui/views/outcomelabel.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

enum Column { StepColumn, SubjectColumn, TimeColumn, ResultColumn };

QString stepWords(doctor::Check::Step step)
{
    using Step = doctor::Check::Step;
    switch (step) {
    case Step::File:
        return DoctorDialog::tr("File");
    case Step::Name:
        return DoctorDialog::tr("Host name");
    case Step::Connect:
        return DoctorDialog::tr("Connection");
    case Step::Tls:
        return DoctorDialog::tr("TLS");
    case Step::Protocol:
        return DoctorDialog::tr("Protocol");
    case Step::Login:
        return DoctorDialog::tr("Login");
    case Step::Metadata:
        return DoctorDialog::tr("Topics");
    case Step::Broker:
        return DoctorDialog::tr("Broker");
    case Step::Fetch:
        return DoctorDialog::tr("Fetch");
    }
    return {};
}

} // namespace

DoctorDialog::DoctorDialog(const SessionFactory &factory, SessionConfig config, QWidget *parent)
    : QDialog(parent)
    , m_config(std::move(config))
    , m_run(new DoctorRun(factory, this))
    , m_steps(new QTreeWidget)
    , m_outcome(new OutcomeLabel(u"outcome"_s, 1, Qt::AlignVCenter))
    , m_again(new QPushButton)
    , m_copy(new QPushButton(tr("&Copy")))
{
    setWindowTitle(tr("Test of %1").arg(m_config.displayName()));
    m_steps->setObjectName(u"steps"_s);
    m_again->setObjectName(u"againButton"_s);
    m_copy->setObjectName(u"copyButton"_s);
    buildLayout();
    connect(m_run, &DoctorRun::checked, this, &DoctorDialog::onChecked);
    connect(m_run, &DoctorRun::finished, this, &DoctorDialog::onFinished);
    connect(m_again, &QPushButton::clicked, this, &DoctorDialog::toggle);
    connect(m_copy, &QPushButton::clicked, this, &DoctorDialog::copy);
    connect(this, &QDialog::finished, m_run, &DoctorRun::stop);
    start();
}

void DoctorDialog::open(const SessionFactory &factory, const SessionConfig &config, QWidget *parent)
{
    auto *dialog = new DoctorDialog(factory, config, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->QDialog::open();
}

void DoctorDialog::buildLayout()
{
    m_steps->setHeaderLabels({tr("Step"), tr("Where"), tr("Time"), tr("Result")});
    m_steps->setRootIsDecorated(false);
    m_steps->setWordWrap(true);
    m_steps->setTextElideMode(Qt::ElideNone);
    m_steps->setAccessibleName(tr("Steps of the test"));
    m_steps->header()->setSectionResizeMode(ResultColumn, QHeaderView::Stretch);
    for (const int column : {StepColumn, SubjectColumn, TimeColumn})
        m_steps->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_again, QDialogButtonBox::ActionRole);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_steps, 1);
    layout->addWidget(m_outcome);
    layout->addWidget(buttons);
    resize(760, 420);
}

void DoctorDialog::start()
{
    m_steps->clear();
    m_report.clear();
    m_again->setText(tr("S&top"));
    m_copy->setEnabled(false);
    m_outcome->say(tr("Testing %1…").arg(m_config.endpoint()));
    m_run->start(m_config);
}

void DoctorDialog::toggle()
{
    if (!m_run->isRunning()) {
        start();
        return;
    }
    m_run->stop();
    m_again->setText(tr("&Again"));
    m_outcome->say(tr("Stopped."), false);
}

void DoctorDialog::copy()
{
    QGuiApplication::clipboard()->setText(m_report.join(u'\n'));
}

void DoctorDialog::onChecked(const doctor::Check &check)
{
    const bool passed = check.outcome == doctor::Check::Outcome::Passed;
    const QString step = stepWords(check.step);
    const QString time = tr("%1 ms").arg(groupedDigits(check.elapsed.count()));
    QString result = check.result;
    if (!check.advice.isEmpty())
        result += u'\n' + check.advice;
    auto *item = new QTreeWidgetItem(m_steps, {step, check.subject, time, result});
    item->setIcon(StepColumn, passed ? icon(IconName::Verified, Tone::Good)
                                     : icon(IconName::Warning, Tone::Warning));
    item->setTextAlignment(TimeColumn, Qt::AlignRight | Qt::AlignVCenter);
    for (const int column : {StepColumn, SubjectColumn, ResultColumn})
        item->setTextAlignment(column, Qt::AlignLeft | Qt::AlignVCenter);
    item->setData(StepColumn, Qt::AccessibleTextRole,
                  passed ? tr("%1: passed").arg(step) : tr("%1: failed").arg(step));
    m_steps->scrollToItem(item);
    m_report << u"%1  %2  %3  %4  %5"_s.arg(passed ? tr("passed") : tr("FAILED"), step,
                                            check.subject, time,
                                            QString(result).replace(u'\n', u' '));
    m_copy->setEnabled(true);
}

void DoctorDialog::onFinished(bool complete, bool passed, const Error &error)
{
    m_again->setText(tr("&Again"));
    if (!complete)
        m_outcome->say(errorText(error).full(), false);
    else if (passed)
        m_outcome->say(tr("Everything works."), true);
    else
        m_outcome->say(tr("Not everything works: the steps marked say what to do next."), false);
}

} // namespace topicscope::ui
