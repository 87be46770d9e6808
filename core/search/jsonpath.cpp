#include "core/search/jsonpath.h"

#include "core/search/decimal.h"

#include <QString>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace topicscope::search
{

namespace
{

/// One reading of a document along a path.
class PathScan
{
public:
    PathScan(std::string_view text, const JsonPath &path)
        : m_at(text.data())
        , m_end(text.data() + text.size())
        , m_path(path)
    {
    }

    bool run(const std::function<bool(const JsonValue &)> &onValue)
    {
        do {
            if (!toToken())
                return false;
            bool justEntered = false;
            if (m_levels.size() == m_path.size()) {
                const auto value = takeValue();
                if (!value)
                    return false;
                if (onValue(*value))
                    return true;
            } else if (mayEnter(*m_at)) {
                m_levels.push_back({*m_at == '{', -1});
                ++m_at;
                justEntered = true;
            } else if (!skipValue()) {
                return false;
            }
            if (!toNext(justEntered))
                return false;
        } while (!m_levels.empty());
        return false;
    }

private:
    /// A container the path goes on in.
    struct Level {
        bool object = false;
        qint64 index = -1; ///< of the current element
    };

    /// Steps over blanks. False at the end.
    bool toToken()
    {
        while (m_at < m_end && (*m_at == ' ' || *m_at == '\n' || *m_at == '\t' || *m_at == '\r'))
            ++m_at;
        return m_at < m_end;
    }

    bool mayEnter(char bracket) const
    {
        const bool member = m_path[m_levels.size()].kind == JsonStep::Kind::Member;
        return bracket == (member ? '{' : '[');
    }

    /// From behind a value, or behind a bracket that opens, to the next value the path leads to;
    /// leaves containers that end. False where the grammar breaks.
    bool toNext(bool justEntered)
    {
        while (!m_levels.empty()) {
            Level &level = m_levels.back();
            if (!toToken())
                return false;
            if (*m_at == (level.object ? '}' : ']')) {
                ++m_at;
                m_levels.pop_back();
                justEntered = false;
                continue;
            }
            if (!justEntered) {
                if (*m_at != ',')
                    return false;
                ++m_at;
                if (!toToken())
                    return false;
            }
            justEntered = false;
            const JsonStep &step = m_path[m_levels.size() - 1];
            bool wanted = false;
            if (level.object) {
                if (!takeName(step.name, wanted))
                    return false;
            } else {
                ++level.index;
                wanted = step.kind == JsonStep::Kind::AnyElement || step.index == level.index;
            }
            if (wanted)
                return true;
            if (!toToken() || !skipValue())
                return false;
        }
        return true;
    }

    /// A member's name and the colon.
    bool takeName(const QByteArray &name, bool &isIt)
    {
        if (*m_at != '"')
            return false;
        const char *const begin = ++m_at;
        if (!skipString())
            return false;
        const std::string_view token(begin, size_t(m_at - 1 - begin));
        if (token.find('\\') == std::string_view::npos)
            isIt = token == std::string_view(name.constData(), size_t(name.size()));
        else
            isIt = jsonUnescaped(std::as_bytes(std::span(token))) == name;
        if (!toToken() || *m_at != ':')
            return false;
        ++m_at;
        return true;
    }

    /// To behind the closing quote.
    bool skipString()
    {
        while (m_at < m_end) {
            const char c = *m_at++;
            if (c == '"')
                return true;
            if (c == '\\' && m_at < m_end)
                ++m_at;
        }
        return false;
    }

    bool skipContainer()
    {
        qint64 depth = 0;
        while (m_at < m_end) {
            switch (*m_at++) {
            case '"':
                if (!skipString())
                    return false;
                break;
            case '{':
            case '[':
                ++depth;
                break;
            case '}':
            case ']':
                if (--depth == 0)
                    return true;
                break;
            default:
                break;
            }
        }
        return false;
    }

    bool skipValue()
    {
        if (*m_at == '{' || *m_at == '[')
            return skipContainer();
        if (*m_at == '"') {
            ++m_at;
            return skipString();
        }
        const char *const begin = m_at;
        constexpr std::string_view kEnds = ",]} \t\n\r";
        while (m_at < m_end && kEnds.find(*m_at) == std::string_view::npos)
            ++m_at;
        // What ends with the document inside a container may be cut.
        return m_at > begin && (m_at < m_end || m_levels.empty());
    }

    std::optional<JsonValue> takeValue()
    {
        const char *const begin = m_at;
        if (!skipValue())
            return std::nullopt;
        const std::string_view token(begin, size_t(m_at - begin));
        const auto is = [](JsonValue::Kind kind, std::string_view text) {
            return JsonValue{kind, std::as_bytes(std::span(text))};
        };
        switch (token.front()) {
        case '{':
            return is(JsonValue::Kind::Object, token);
        case '[':
            return is(JsonValue::Kind::Array, token);
        case '"':
            return is(JsonValue::Kind::String, token.substr(1, token.size() - 2));
        default:
            break;
        }
        if (token == "true")
            return is(JsonValue::Kind::True, token);
        if (token == "false")
            return is(JsonValue::Kind::False, token);
        if (token == "null")
            return is(JsonValue::Kind::Null, token);
        if (Decimal::parse(token))
            return is(JsonValue::Kind::Number, token);
        return std::nullopt;
    }

    const char *m_at;
    const char *m_end;
    const JsonPath &m_path;
    std::vector<Level> m_levels; ///< never more than the path has steps
};

/// Four hex digits at `at`; nullopt when they are none.
std::optional<char16_t> hexUnit(std::string_view text, size_t at)
{
    if (text.size() < at + 4)
        return std::nullopt;
    bool ok = false;
    const ushort unit = QByteArrayView(text.data() + at, 4).toUShort(&ok, 16);
    return ok ? std::optional(char16_t(unit)) : std::nullopt;
}

/// What "\\u" in front of `at` begins: one UTF-16 unit, or two escapes that are a surrogate pair.
/// @return how much of the text it takes
size_t appendUnit(QByteArray &out, std::string_view text, size_t at)
{
    const auto unit = hexUnit(text, at);
    if (!unit) {
        out += 'u';
        return 0;
    }
    if (!QChar::isSurrogate(*unit)) {
        out += QStringView(&*unit, 1).toUtf8();
        return 4;
    }
    const auto low = text.substr(std::min(at + 4, text.size()), 2) == "\\u" ? hexUnit(text, at + 6)
                                                                            : std::nullopt;
    if (QChar::isHighSurrogate(*unit) && low && QChar::isLowSurrogate(*low)) {
        const std::array pair{*unit, *low};
        out += QStringView(pair.data(), 2).toUtf8();
        return 10;
    }
    out += "\xEF\xBF\xBD";
    return 4;
}

} // namespace

bool findInJson(std::span<const std::byte> bytes, const JsonPath &path,
                const std::function<bool(const JsonValue &)> &onValue)
{
    return PathScan({reinterpret_cast<const char *>(bytes.data()), bytes.size()}, path)
        .run(onValue);
}

QByteArray jsonUnescaped(std::span<const std::byte> token)
{
    const std::string_view text(reinterpret_cast<const char *>(token.data()), token.size());
    QByteArray out;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        switch (const char c = text[++i]) {
        case 'b':
            out += '\b';
            break;
        case 'f':
            out += '\f';
            break;
        case 'n':
            out += '\n';
            break;
        case 'r':
            out += '\r';
            break;
        case 't':
            out += '\t';
            break;
        case 'u':
            i += appendUnit(out, text, i + 1);
            break;
        default:
            out += c;
        }
    }
    return out;
}

} // namespace topicscope::search
