#include "ui/panels/payloadpages.h"

#include "core/base/digits.h"
#include "core/records/jsontext.h"
#include "core/records/payloaddetect.h"
#include "core/records/payloadformat.h"
#include "ui/models/recordtext.h"
#include "ui/views/textview.h"

#include <QLabel>
#include <QVBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// Up to this size a payload is written out at once; larger, off the GUI thread.
constexpr size_t kAtOnceBytes = size_t(16) * 1024;

/// What a TextView draws from the bytes themselves.
bool isPlainText(const PayloadCodec &format)
{
    return format.name() == u"text"_s || format.name() == u"json"_s;
}

std::shared_ptr<const QByteArray> drawn(const QString &text)
{
    return std::make_shared<const QByteArray>(text.toUtf8());
}

ShownPayload writtenOut(const PayloadCodec &format, const QString &why,
                        std::span<const std::byte> bytes, const PayloadContext &context)
{
    const DecodedPayload text = format.layOut(bytes, context);
    QString about;
    if (text.lacksSchema)
        about = TextPage::tr("Shown as bytes: %1.").arg(text.problem);
    else if (!text.problem.isEmpty())
        about = TextPage::tr("Not %1: %2.").arg(format.title(), text.problem);
    else if (!text.why.isEmpty())
        about = text.why;
    else
        about = why.isEmpty() ? format.title() : TextPage::tr("%1: %2").arg(format.title(), why);
    if (text.cut)
        about +=
            u' ' +
            TextPage::tr("(the first %1 characters)").arg(groupedDigits(qint64(text.text.size())));
    return {about, drawn(text.text), {}, text.lacksSchema};
}

ShownPayload laidOut(std::span<const std::byte> bytes, const std::stop_token &stop)
{
    // Registered schemas put five bytes in front of a document.
    constexpr size_t kIdBytes = 5;
    const auto id = schemaIdOf(bytes);
    const size_t first = id ? kIdBytes : 0;
    const auto text = jsonPretty(bytes.subspan(first), {.stop = stop});
    if (text) {
        return {id ? TextPage::tr("Behind the id of schema %1, in five bytes.").arg(*id)
                   : QString(),
                drawn(*text)};
    }
    const Error &error = text.error();
    if (error.recordBytes) {
        return {TextPage::tr("Too large to be laid out: the limit is %1. Below is the text as it "
                             "is.")
                    .arg(byteText(error.limitBytes.value_or(0)))};
    }
    const qint64 byte = qint64(first) + error.where.byte.value_or(0);
    return {TextPage::tr("Not JSON: at byte %1, %2. Below is the text as it is.")
                .arg(groupedDigits(byte), error.detail),
            nullptr, byte};
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

void TextPage::addAbove(QWidget *widget)
{
    static_cast<QVBoxLayout *>(layout())->insertWidget(0, widget);
}

void TextPage::clear()
{
    m_lacksSchema = false;
    m_run.cancel(); // what is on its way is about another payload
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

void TextPage::showAsItIs(const InspectedPayload &payload)
{
    m_view->setSource(TextView::Source::Payload);
    m_view->setBytes(*payload.bytes, payload.owner);
}

void TextPage::showText(const InspectedPayload &payload,
                        const std::shared_ptr<const PayloadCodec> &format,
                        const PayloadContext &context)
{
    clear();
    if (isNothing(payload))
        return;
    const bool isChosen = format != nullptr;
    const auto [shownBy, why] =
        (isChosen ? format.get() : PayloadCodec::automatic())->chosenFor(*payload.bytes);
    if (isChosen && shownBy->name() == u"json"_s) {
        showJson(payload);
        return;
    }
    if (isPlainText(*shownBy)) {
        if (detectKind(*payload.bytes) == PayloadKind::Binary && !why.isEmpty())
            say(tr("Shown as text: %1.").arg(why));
        showAsItIs(payload);
        return;
    }
    run(payload,
        [payload, format, shownBy = shownBy, why = why, context](const std::stop_token &stop) {
            PayloadContext stoppable = context;
            stoppable.stop = stop;
            return writtenOut(*shownBy, why, *payload.bytes, stoppable);
        });
}

void TextPage::showJson(const InspectedPayload &payload)
{
    clear();
    if (isNothing(payload))
        return;
    run(payload, [payload](const std::stop_token &stop) { return laidOut(*payload.bytes, stop); });
    if (m_run.isRunning() && detectKind(*payload.bytes) != PayloadKind::Binary)
        showAsItIs(payload);
}

void TextPage::run(const InspectedPayload &payload, const Work &work)
{
    if (payload.bytes->size() <= kAtOnceBytes) {
        show(payload, work({}));
        return;
    }
    say(tr("Laying out %1…").arg(byteText(qint64(payload.bytes->size()))));
    m_run.start(work, [this, payload](const ShownPayload &shown) { show(payload, shown); });
}

void TextPage::show(const InspectedPayload &payload, const ShownPayload &shown)
{
    m_lacksSchema = shown.lacksSchema;
    say(shown.about);
    if (shown.drawn) {
        m_view->setSource(TextView::Source::Drawn);
        const auto &utf8 = *shown.drawn;
        m_view->setBytes(std::as_bytes(std::span(utf8.constData(), size_t(utf8.size()))),
                         shown.drawn);
        return;
    }
    showAsItIs(payload);
    if (shown.byte)
        m_view->select(*shown.byte, *shown.byte + 1);
}

} // namespace topicscope::ui
