#include "core/records/jsontext.h"

#include "core/records/payloadformat.h"
#include "core/records/utf8.h"

#include <algorithm>
#include <vector>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

enum class Token { BeginObject, EndObject, BeginArray, EndArray, Key, Colon, Comma, Scalar };

Error syntaxError(qsizetype position, const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, why, {{}, {}, {}, {}, position});
}

bool isDigit(int c)
{
    return c >= '0' && c <= '9';
}

bool isHexDigit(int c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Finds the tokens of one JSON value in order; stops at the first place that is none.
class Scanner
{
public:
    explicit Scanner(std::span<const std::byte> bytes)
        : m_bytes(bytes)
        , m_size(qsizetype(bytes.size()))
    {
    }

    /// Calls onToken(Token, bytes of the token); it returns an Error to stop.
    template <typename OnToken>
    Result<void> run(OnToken onToken)
    {
        for (skipBlanks(); m_expect != Expect::End; skipBlanks()) {
            const qsizetype begin = m_position;
            Token token{};
            if (const auto error = next(token))
                return *error;
            const auto text = m_bytes.subspan(size_t(begin), size_t(m_position - begin));
            if (Result<void> taken = onToken(token, text); !taken)
                return taken;
        }
        if (m_position < m_size)
            return unexpected(u"nothing but blanks after the value"_s);
        return {};
    }

private:
    enum class Expect { Value, ValueOrEnd, Key, KeyOrEnd, Colon, CommaOrEnd, End };

    /// The byte at the position, -1 at the end.
    int peek() const { return m_position < m_size ? int(m_bytes[size_t(m_position)]) : -1; }

    void skipBlanks()
    {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')
            ++m_position;
    }

    Error unexpected(const QString &wanted) const
    {
        if (m_position >= m_size)
            return syntaxError(m_position, u"ends where %1 was expected"_s.arg(wanted));
        const Utf8Character character = utf8At(m_bytes, m_position);
        const QString found =
            character.size > 0
                ? u"'%1'"_s.arg(drawnCharacter(character.codePoint))
                : u"byte %1"_s.arg(hexString(m_bytes.subspan(size_t(m_position), 1)));
        return syntaxError(m_position, u"%1 where %2 was expected"_s.arg(found, wanted));
    }

    std::optional<Error> next(Token &token)
    {
        const int c = peek();
        switch (m_expect) {
        case Expect::KeyOrEnd:
            if (c == '}')
                return end(token, Token::EndObject);
            [[fallthrough]];
        case Expect::Key:
            if (c != '"')
                return unexpected(m_expect == Expect::Key ? u"a member name"_s
                                                          : u"a member name or '}'"_s);
            token = Token::Key;
            m_expect = Expect::Colon;
            return string();
        case Expect::Colon:
            if (c != ':')
                return unexpected(u"':'"_s);
            token = Token::Colon;
            m_expect = Expect::Value;
            ++m_position;
            return std::nullopt;
        case Expect::CommaOrEnd:
            if (c == ',') {
                token = Token::Comma;
                m_expect = m_inObject.back() ? Expect::Key : Expect::Value;
                ++m_position;
                return std::nullopt;
            }
            if (c == (m_inObject.back() ? '}' : ']'))
                return end(token, m_inObject.back() ? Token::EndObject : Token::EndArray);
            return unexpected(m_inObject.back() ? u"',' or '}'"_s : u"',' or ']'"_s);
        case Expect::ValueOrEnd:
            if (c == ']')
                return end(token, Token::EndArray);
            [[fallthrough]];
        case Expect::Value:
        case Expect::End:
            return value(token);
        }
        return std::nullopt;
    }

    std::optional<Error> value(Token &token)
    {
        const int c = peek();
        if (c == '{' || c == '[') {
            token = c == '{' ? Token::BeginObject : Token::BeginArray;
            m_inObject.push_back(c == '{');
            m_expect = c == '{' ? Expect::KeyOrEnd : Expect::ValueOrEnd;
            ++m_position;
            return std::nullopt;
        }
        token = Token::Scalar;
        valueDone();
        if (c == '"')
            return string();
        if (c == '-' || isDigit(c))
            return number();
        for (const std::string_view word : {"true", "false", "null"}) {
            if (c == word.front())
                return literal(word);
        }
        return unexpected(u"a value"_s);
    }

    void valueDone() { m_expect = m_inObject.empty() ? Expect::End : Expect::CommaOrEnd; }

    std::optional<Error> end(Token &token, Token which)
    {
        token = which;
        m_inObject.pop_back();
        valueDone();
        ++m_position;
        return std::nullopt;
    }

    std::optional<Error> literal(std::string_view word)
    {
        for (const char letter : word) {
            if (peek() != letter)
                return unexpected(
                    u"'%1'"_s.arg(QLatin1StringView(word.data(), qsizetype(word.size()))));
            ++m_position;
        }
        return std::nullopt;
    }

    std::optional<Error> digits()
    {
        if (!isDigit(peek()))
            return unexpected(u"a digit"_s);
        while (isDigit(peek()))
            ++m_position;
        return std::nullopt;
    }

    std::optional<Error> number()
    {
        if (peek() == '-')
            ++m_position;
        if (peek() == '0') {
            ++m_position;
        } else if (auto error = digits()) {
            return error;
        }
        if (peek() == '.') {
            ++m_position;
            if (auto error = digits())
                return error;
        }
        if (peek() == 'e' || peek() == 'E') {
            ++m_position;
            if (peek() == '+' || peek() == '-')
                ++m_position;
            return digits();
        }
        return std::nullopt;
    }

    std::optional<Error> string()
    {
        ++m_position;
        while (peek() != '"') {
            if (m_position >= m_size)
                return unexpected(u"the string's closing quote"_s);
            if (peek() < 0x20)
                return syntaxError(m_position, u"a control character inside a string"_s);
            if (peek() == '\\') {
                if (auto error = escape())
                    return error;
                continue;
            }
            const Utf8Character character = utf8At(m_bytes, m_position);
            if (character.size == 0)
                return syntaxError(m_position, u"malformed UTF-8 inside a string"_s);
            m_position += character.size;
        }
        ++m_position;
        return std::nullopt;
    }

    std::optional<Error> escape()
    {
        ++m_position;
        const int c = peek();
        if (c == 'u') {
            ++m_position;
            for (int i = 0; i < 4; ++i, ++m_position) {
                if (!isHexDigit(peek()))
                    return unexpected(u"a hex digit"_s);
            }
            return std::nullopt;
        }
        if (c < 0 || std::string_view("\"\\/bfnrt").find(char(c)) == std::string_view::npos)
            return unexpected(u"an escaped character"_s);
        ++m_position;
        return std::nullopt;
    }

    std::span<const std::byte> m_bytes;
    qsizetype m_size;
    qsizetype m_position = 0;
    Expect m_expect = Expect::Value;
    std::vector<bool> m_inObject; // one entry an open container
};

/// A token's text, which is valid UTF-8.
void appendToken(QString &out, std::span<const std::byte> token)
{
    for (qsizetype i = 0; i < qsizetype(token.size());) {
        const Utf8Character character = utf8At(token, i);
        appendDrawn(out, character.codePoint);
        i += character.size;
    }
}

Error limitError(qint64 size, qint64 limit, const QString &what)
{
    Error error = Error::make(ErrorKind::InvalidArgument, what);
    error.recordBytes = size;
    error.limitBytes = limit;
    return error;
}

} // namespace

Result<QString> jsonPretty(std::span<const std::byte> bytes, const JsonLimits &limits)
{
    const auto size = qsizetype(bytes.size());
    if (size > limits.maxBytes)
        return limitError(size, limits.maxBytes, u"too large to be laid out"_s);
    QString out;
    out.reserve(std::min(2 * size, limits.maxChars));
    qsizetype depth = 0;
    bool justOpened = false;
    const QString blanks(2 * kMaxIndentLevels, u' ');
    const auto newLine = [&] {
        out += u'\n';
        out.append(blanks.constData(), 2 * std::min(depth, kMaxIndentLevels));
    };
    const auto lay = [&](Token token, std::span<const std::byte> text) -> Result<void> {
        if (limits.stop.stop_requested())
            return Error::make(ErrorKind::Cancelled, {});
        const bool ends = token == Token::EndObject || token == Token::EndArray;
        if (ends)
            --depth;
        if (ends ? !justOpened : justOpened)
            newLine();
        justOpened = token == Token::BeginObject || token == Token::BeginArray;
        if (justOpened)
            ++depth;
        appendToken(out, text);
        if (token == Token::Colon)
            out += u' ';
        else if (token == Token::Comma)
            newLine();
        if (out.size() > limits.maxChars)
            return limitError(size, limits.maxChars, u"the layout would become too large"_s);
        return {};
    };
    Scanner scanner(bytes);
    if (Result<void> result = scanner.run(lay); !result)
        return std::move(result).error();
    return out;
}

namespace
{

/// A document as it is nested; a value is told by its number, the document's own is 0.
class JsonTree
{
public:
    struct Node {
        std::span<const std::byte> name; ///< of a member, quotes and all
        std::span<const std::byte> text; ///< of a scalar
        Token kind = Token::Scalar;      ///< BeginObject, BeginArray or Scalar
        int first = -1;                  ///< what is inside, and the next beside it
        int last = -1;
        int next = -1;
    };

    Result<void> read(std::span<const std::byte> bytes, const std::stop_token &stop)
    {
        Scanner scanner(bytes);
        return scanner.run([&](Token token, std::span<const std::byte> text) -> Result<void> {
            if (stop.stop_requested())
                return Error::make(ErrorKind::Cancelled, {});
            if (qsizetype(m_nodes.size()) == kMaxSortedTokens) {
                return limitError(qint64(bytes.size()), qint64(bytes.size()) - 1,
                                  u"too large to be sorted"_s);
            }
            take(token, text);
            return {};
        });
    }

    const Node &node(int number) const { return m_nodes[size_t(number)]; }

    /// What is inside, members by their names.
    std::vector<int> inside(const Node &outer) const
    {
        std::vector<int> numbers;
        for (int i = outer.first; i >= 0; i = node(i).next)
            numbers.push_back(i);
        if (outer.kind == Token::BeginObject) {
            std::ranges::stable_sort(numbers, [this](int a, int b) {
                return std::ranges::lexicographical_compare(node(a).name, node(b).name);
            });
        }
        return numbers;
    }

private:
    void take(Token token, std::span<const std::byte> text)
    {
        switch (token) {
        case Token::Key:
            m_name = text;
            break;
        case Token::EndObject:
        case Token::EndArray:
            m_open.pop_back();
            break;
        case Token::Colon:
        case Token::Comma:
            break;
        default:
            const auto number = int(m_nodes.size());
            m_nodes.push_back({std::exchange(m_name, {}), text, token});
            if (!m_open.empty()) {
                Node &outer = m_nodes[size_t(m_open.back())];
                (outer.last < 0 ? outer.first : m_nodes[size_t(outer.last)].next) = number;
                outer.last = number;
            }
            if (token != Token::Scalar)
                m_open.push_back(number);
        }
    }

    std::vector<Node> m_nodes;
    std::vector<int> m_open;
    std::span<const std::byte> m_name; ///< of the member whose value comes next
};

} // namespace

Result<QString> jsonSorted(std::span<const std::byte> bytes, const JsonLimits &limits)
{
    const auto size = qsizetype(bytes.size());
    if (size > limits.maxBytes)
        return limitError(size, limits.maxBytes, u"too large to be sorted"_s);
    JsonTree tree;
    if (auto read = tree.read(bytes, limits.stop); !read)
        return std::move(read).error();

    struct Open {
        std::vector<int> inside;
        size_t next = 0;
        QChar end;
    };
    QString out;
    std::vector<Open> open;
    const auto newLine = [&] {
        out += u'\n';
        out.resize(out.size() + 2 * std::min(qsizetype(open.size()), kMaxIndentLevels), u' ');
    };
    const auto write = [&](int number) {
        const JsonTree::Node &node = tree.node(number);
        if (!node.name.empty()) {
            appendToken(out, node.name);
            out += u": "_s;
        }
        appendToken(out, node.text);
        if (node.kind != Token::Scalar)
            open.push_back(
                {tree.inside(node), 0, node.kind == Token::BeginObject ? QChar(u'}') : u']'});
    };
    write(0);
    while (!open.empty()) {
        if (limits.stop.stop_requested())
            return Error::make(ErrorKind::Cancelled, {});
        if (out.size() > limits.maxChars)
            return limitError(size, limits.maxChars, u"the layout would become too large"_s);
        Open &top = open.back();
        if (top.next < top.inside.size()) {
            if (top.next > 0)
                out += u',';
            newLine();
            write(top.inside[top.next++]);
            continue;
        }
        const QChar end = top.end;
        const bool isEmpty = top.inside.empty();
        open.pop_back();
        if (!isEmpty)
            newLine();
        out += end;
    }
    return out;
}

Result<void> jsonCheck(std::span<const std::byte> bytes)
{
    Scanner scanner(bytes);
    return scanner.run([](Token, std::span<const std::byte>) { return Result<void>(); });
}

} // namespace topicscope
