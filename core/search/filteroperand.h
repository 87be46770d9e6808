#pragma once

#include "core/search/filterexpression.h"
#include "core/search/filterreader.h"

namespace topicscope::search
{

/// Reads what a field is compared with: texts, bytes, numbers with units, times, JSON's literals,
/// regular expressions. For the parser.
/// Thread: confined to one.
class FilterOperandReader : protected FilterReader
{
protected:
    FilterOperandReader(const QString &text, qint64 nowMs)
        : FilterReader(text)
        , m_nowMs(nowMs)
    {
    }

    /// What stands behind the operator of this term, where it needs something.
    void parseOperand(Term &term);
    static std::optional<qint64> wholeNumber(QStringView word); ///< no sign

private:
    static std::optional<qint64> integer(QStringView word);
    void parseBytesOperand(Term &term);
    void parseJsonLiteral(Term &term);
    void parseInteger(Term &term);
    void parseUnit(Term &term, qsizetype begin);
    void parseTimeOperand(Term &term);
    void parsePattern(Term &term);

    qint64 m_nowMs;
};

} // namespace topicscope::search
