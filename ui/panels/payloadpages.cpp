#include "ui/panels/payloadpages.h"

#include "core/base/digits.h"
#include "core/records/jsontext.h"
#include "core/records/payloaddetect.h"
#include "ui/models/recordtext.h"
#include "ui/views/textview.h"

#include <QLabel>
#include <QPromise>
#include <QThreadPool>
#include <QVBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// JSON up to this size is laid out at once; larger, off the GUI thread.
constexpr size_t kJsonAtOnceBytes = size_t(64) * 1024;
constexpr qsizetype kMebi = qsizetype(1024) * 1024;
constexpr JsonLimits kJsonLimits{16 * kMebi, 32 * kMebi};
/// Of a payload written out in a format of its own.
constexpr qsizetype kMaxFormattedChars = kMebi;

QString jsonErrorText(const Error &error)
{
    if (error.recordBytes)
        return JsonPage::tr("Too large to be laid out: the limit is %1.")
            .arg(byteText(error.limitBytes.value_or(0)));
    return JsonPage::tr("Not JSON: at byte %1, %2. Below is the text as it is.")
        .arg(groupedDigits(error.where.byte.value_or(0)), error.detail);
}

/// What a TextView draws from the bytes themselves.
bool isPlainText(const PayloadCodec *format)
{
    return !format || format->name() == u"text"_s || format->name() == u"json"_s;
}

} // namespace

TextPage::TextPage(const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_state(new QLabel(this))
    , m_view(new TextView(this))
{
    m_state->setObjectName(name + u"State"_s);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_state->setMargin(6);
    m_state->hide();
    m_view->setObjectName(name + u"View"_s);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_state);
    layout->addWidget(m_view, 1);
}

void TextPage::clear()
{
    say({});
    m_view->clear();
}

void TextPage::say(const QString &text)
{
    m_state->setText(text);
    m_state->setVisible(!text.isEmpty());
}

bool TextPage::isNothing(const InspectedPayload &payload)
{
    if (!payload.bytes)
        say(tr("null: there are no bytes."));
    else if (payload.bytes->empty())
        say(tr("empty: 0 bytes."));
    else
        return false;
    return true;
}

void TextPage::showDrawn(const QString &text)
{
    const auto owner = std::make_shared<const QByteArray>(text.toUtf8());
    m_view->setSource(TextView::Source::Drawn);
    m_view->setBytes(std::as_bytes(std::span(owner->constData(), size_t(owner->size()))), owner);
}

void TextPage::showText(const InspectedPayload &payload, const PayloadCodec *format,
                        const PayloadContext &context)
{
    if (isNothing(payload))
        return;
    QString why;
    if (!format) {
        const DetectedFormat detected = detectFormat(*payload.bytes);
        format = detected.format;
        why = detected.why;
    }
    if (isPlainText(format)) {
        if (detectKind(*payload.bytes) == PayloadKind::Binary && !why.isEmpty())
            say(tr("Shown as text: %1.").arg(why));
        m_view->setSource(TextView::Source::Payload);
        m_view->setBytes(*payload.bytes, payload.owner);
        return;
    }
    const DecodedPayload shown = format->layOut(*payload.bytes, context, kMaxFormattedChars);
    if (!shown.problem.isEmpty())
        say(tr("Not %1: %2.").arg(format->title(), shown.problem));
    else
        say(why.isEmpty() ? format->title() : tr("%1: %2").arg(format->title(), why));
    showDrawn(shown.text);
}

void JsonPage::clear()
{
    m_watcher.reset(); // an answer for another payload is no longer wanted
    TextPage::clear();
}

void JsonPage::showJson(const InspectedPayload &payload)
{
    if (isNothing(payload))
        return;
    if (payload.bytes->size() <= kJsonAtOnceBytes) {
        showLaidOut(payload, jsonPretty(*payload.bytes, kJsonLimits));
        return;
    }
    say(tr("Laying out %1…").arg(byteText(qint64(payload.bytes->size()))));
    const auto promise = std::make_shared<QPromise<Result<QString>>>();
    m_watcher = std::make_unique<QFutureWatcher<Result<QString>>>();
    connect(m_watcher.get(), &QFutureWatcherBase::finished, this, [this, payload] {
        const QFuture<Result<QString>> future = m_watcher->future();
        if (future.resultCount() > 0)
            showLaidOut(payload, future.result());
    });
    m_watcher->setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, payload] {
        promise->start();
        if (!promise->isCanceled())
            promise->addResult(jsonPretty(*payload.bytes, kJsonLimits));
        promise->finish();
    });
}

void JsonPage::showLaidOut(const InspectedPayload &payload, const Result<QString> &text)
{
    if (text) {
        say({});
        showDrawn(*text);
        return;
    }
    say(jsonErrorText(text.error()));
    view()->setSource(TextView::Source::Payload);
    view()->setBytes(*payload.bytes, payload.owner);
    if (const auto byte = text.error().where.byte)
        view()->select(*byte, *byte + 1);
}

} // namespace topicscope::ui
