#pragma once

#include "core/search/filter.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace topicscope::search
{

/// Reads the characters, words and literals of a filter's text, from left to right; the first error
/// stays. For the parser.
/// Thread: confined to one.
class FilterReader
{
protected:
    explicit FilterReader(const QString &text)
        : m_text(text)
    {
    }

    static QString tr(const char *text);

    bool failed() const { return m_error.has_value(); }
    /// Returns 0, whatever that is to the caller.
    size_t fail(qsizetype column, qsizetype length, const QString &expected);
    /// At what stands here: a word, or one character.
    size_t failHere(const QString &expected);

    /// Steps over blanks first.
    bool atEnd();
    QChar peek() const { return m_at < m_text.size() ? m_text[m_at] : QChar(); }
    bool take(QLatin1StringView text);
    /// What stands here up to a blank, bracket, quote or operator.
    QStringView peekWord() const;
    /// In capital or small letters.
    bool takeWord(QLatin1StringView word);

    static bool isQuote(QChar c) { return c == u'"' || c == u'\''; }
    /// x"00ff"
    bool isBytes() const;
    /// A text in quotes or bytes in hex: where isQuote() or isBytes() says so.
    QByteArray parseBytes();

    const QString &m_text;
    qsizetype m_at = 0;
    std::optional<SyntaxError> m_error;

private:
    QByteArray parseString();
    void parseEscape(QString &text);
};

} // namespace topicscope::search
