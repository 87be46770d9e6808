#include "core/search/filterreader.h"

#include <QCoreApplication>

#include <algorithm>

namespace topicscope::search
{

using namespace Qt::StringLiterals;

namespace
{

bool isWordCharacter(QChar c)
{
    return !c.isSpace() && !u"()[]\"=!<>~"_s.contains(c);
}

} // namespace

QString FilterReader::tr(const char *text)
{
    return QCoreApplication::translate("Filter", text);
}

size_t FilterReader::fail(qsizetype column, qsizetype length, const QString &expected)
{
    if (!m_error)
        m_error = SyntaxError{column, std::min(length, m_text.size() - column), expected};
    return 0;
}

size_t FilterReader::failHere(const QString &expected)
{
    return fail(m_at, std::max<qsizetype>(1, peekWord().size()), expected);
}

bool FilterReader::atEnd()
{
    while (m_at < m_text.size() && m_text[m_at].isSpace())
        ++m_at;
    return m_at >= m_text.size();
}

bool FilterReader::take(QLatin1StringView text)
{
    if (!QStringView(m_text).sliced(m_at).startsWith(text))
        return false;
    m_at += text.size();
    return true;
}

QStringView FilterReader::peekWord() const
{
    qsizetype end = m_at;
    while (end < m_text.size() && isWordCharacter(m_text[end]))
        ++end;
    return QStringView(m_text).sliced(m_at, end - m_at);
}

bool FilterReader::takeWord(QLatin1StringView word)
{
    if (peekWord().compare(word, Qt::CaseInsensitive) != 0)
        return false;
    m_at += word.size();
    return true;
}

bool FilterReader::isBytes() const
{
    return peek() == u'x' && m_at + 1 < m_text.size() && m_text[m_at + 1] == u'"';
}

QByteArray FilterReader::parseBytes()
{
    if (!isBytes())
        return parseString();
    const qsizetype begin = m_at;
    m_at += 2;
    const qsizetype end = m_text.indexOf(u'"', m_at);
    if (end < 0) {
        fail(begin, m_text.size() - begin, tr("A closing quotation mark is expected."));
        return {};
    }
    const QString digits = m_text.sliced(m_at, end - m_at);
    const auto bad = std::ranges::find_if(
        digits, [](QChar c) { return !u"0123456789abcdefABCDEF"_s.contains(c); });
    if (bad != digits.end())
        fail(m_at + (bad - digits.begin()), 1, tr("A hex digit is expected."));
    else if (digits.size() % 2 != 0)
        fail(end, 1, tr("Two hex digits a byte are expected."));
    m_at = end + 1;
    return QByteArray::fromHex(digits.toLatin1());
}

QByteArray FilterReader::parseString()
{
    const qsizetype begin = m_at;
    const QChar quote = m_text[m_at++];
    QString text;
    while (m_at < m_text.size() && m_text[m_at] != quote) {
        if (m_text[m_at] == u'\\')
            parseEscape(text);
        else
            text += m_text[m_at++];
    }
    if (m_at == m_text.size())
        fail(begin, m_at - begin, tr("A closing quotation mark is expected."));
    ++m_at;
    if (!failed() && !text.isValidUtf16())
        fail(begin, m_at - begin, tr("Half a surrogate pair is no character."));
    return text.toUtf8();
}

void FilterReader::parseEscape(QString &text)
{
    const qsizetype begin = m_at++;
    const QChar c = peek();
    const qsizetype known = QStringView(u"nrt\"'\\/").indexOf(c);
    if (m_at < m_text.size() && known >= 0) {
        text += QStringView(u"\n\r\t\"'\\/")[known];
        ++m_at;
        return;
    }
    bool ok = false;
    const QStringView digits = QStringView(m_text).sliced(std::min(m_at + 1, m_text.size()));
    const ushort unit = digits.first(std::min<qsizetype>(4, digits.size())).toUShort(&ok, 16);
    if (c == u'u' && ok && digits.size() >= 4) {
        text += QChar(unit);
        m_at += 5;
        return;
    }
    fail(begin, 2,
         tr("\\n, \\r, \\t, \\\", \\', \\\\, \\/ or \\u and four hex digits is expected; "
            "bytes are written as x\"00ff\"."));
}

} // namespace topicscope::search
