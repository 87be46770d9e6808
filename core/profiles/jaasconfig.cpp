#include "core/profiles/jaasconfig.h"

#include <QStringList>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

/// Words, "=" and ";"; a quoted word without its quotes.
QStringList tokens(const QString &text)
{
    QStringList result;
    for (qsizetype i = 0; i < text.size();) {
        const QChar c = text[i];
        if (c.isSpace()) {
            ++i;
        } else if (c == u'=' || c == u';') {
            result << QString(c);
            ++i;
        } else if (c == u'"' || c == u'\'') {
            QString word;
            for (++i; i < text.size() && text[i] != c; ++i) {
                if (text[i] == u'\\' && i + 1 < text.size())
                    ++i;
                word += text[i];
            }
            ++i;
            result << word;
        } else {
            const qsizetype begin = i;
            while (i < text.size() && !text[i].isSpace() && text[i] != u'=' && text[i] != u';')
                ++i;
            result << text.sliced(begin, i - begin);
        }
    }
    return result;
}

/// Shells and files of environments leave quotes around the whole.
QString withoutOuterQuotes(const QString &text)
{
    const QString trimmed = text.trimmed();
    const bool isQuoted = trimmed.size() > 1 && trimmed.front() == trimmed.back() &&
                          (trimmed.front() == u'"' || trimmed.front() == u'\'');
    return isQuoted ? trimmed.sliced(1, trimmed.size() - 2) : trimmed;
}

} // namespace

JaasLogin parseJaas(const QString &text)
{
    const QStringList words = tokens(withoutOuterQuotes(text));
    JaasLogin login;
    login.module = words.value(0);
    for (qsizetype i = 2; i + 2 < words.size() + 1 && words.value(i) != u";"_s;) {
        if (words.value(i + 1) != u"="_s) {
            ++i;
            continue;
        }
        login.options.insert(words.value(i), words.value(i + 2));
        i += 3;
    }
    return login;
}

} // namespace topicscope
