#include "core/decode/protobuffiles.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <functional>
#include <google/protobuf/compiler/importer.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/descriptor_database.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <memory>
#include <numeric>

namespace topicscope
{

using namespace Qt::StringLiterals;
namespace pb = google::protobuf;

namespace
{

constexpr qint64 kMaxTextBytes = 4'000'000;
constexpr int kMaxNesting = 100; ///< the compiler makes a call a level

Error wrong(const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, why);
}

QString text(const std::string &name)
{
    return QString::fromStdString(name);
}

/// By the compiler's own tokens: brackets in comments and strings are none. A bracket is only
/// closed by one of its kind.
bool isNestedTooDeep(const QByteArray &proto)
{
    class Silent final : public pb::io::ErrorCollector
    {
        void AddError(int /*line*/, int /*column*/, const std::string & /*why*/) override {}
    };
    const std::string opening = "{[(<";
    const std::string closing = "}])>";
    std::array<int, 4> open{};
    pb::io::ArrayInputStream input(proto.constData(), int(proto.size()));
    Silent silent;
    pb::io::Tokenizer tokens(&input, &silent);
    while (tokens.Next()) {
        if (tokens.current().type != pb::io::Tokenizer::TYPE_SYMBOL)
            continue;
        const char symbol = tokens.current().text.front();
        if (const size_t kind = opening.find(symbol); kind != std::string::npos)
            ++open[kind];
        if (const size_t kind = closing.find(symbol); kind != std::string::npos)
            open[kind] = std::max(open[kind] - 1, 0);
        if (std::accumulate(open.begin(), open.end(), 0) > kMaxNesting)
            return true;
    }
    return false;
}

/// Keeps the first thing that is wrong.
class FirstError final : public pb::compiler::MultiFileErrorCollector,
                         public pb::DescriptorPool::ErrorCollector
{
public:
    void AddError(const std::string &file, int line, int column, const std::string &why) override
    {
        keep(line < 0 ? u"%1: %2"_s.arg(text(file), text(why))
                      : u"%1:%2:%3: %4"_s.arg(text(file), QString::number(line + 1),
                                              QString::number(column + 1), text(why)));
    }
    void AddError(const std::string &file, const std::string &element, const pb::Message *,
                  ErrorLocation, const std::string &why) override
    {
        keep(u"%1: %2: %3"_s.arg(text(file), text(element), text(why)));
    }

    Error error() const { return wrong(m_first.isEmpty() ? u"the schema is wrong"_s : m_first); }

private:
    /// Without a full stop: it becomes a part of sentences.
    void keep(const QString &what)
    {
        if (m_first.isEmpty())
            m_first = what.endsWith(u'.') ? what.chopped(1) : what;
    }

    QString m_first;
};

/// Texts as `find` knows them, and Google's own.
class Texts final : public pb::compiler::SourceTree
{
public:
    using Find = std::function<std::optional<QByteArray>(const QString &name)>;

    explicit Texts(Find find)
        : m_find(std::move(find))
    {
    }

    pb::io::ZeroCopyInputStream *Open(const std::string &name) override
    {
        std::optional<QByteArray> found = m_find(text(name));
        if (!found) {
            const auto *known = pb::DescriptorPool::generated_pool()->FindFileByName(name);
            if (!known)
                return nullptr;
            found = QByteArray::fromStdString(known->DebugString());
        }
        if (found->size() > kMaxTextBytes || isNestedTooDeep(*found)) {
            m_problem = "too large, or nested too deep";
            return nullptr;
        }
        m_held.push_back(std::make_unique<QByteArray>(*found));
        return new pb::io::ArrayInputStream(m_held.back()->constData(), int(m_held.back()->size()));
    }

    std::string GetLastErrorMessage() override { return m_problem; }

private:
    Find m_find;
    std::vector<std::unique_ptr<QByteArray>> m_held;
    std::string m_problem = "not found";
};

ProtobufSchema::Kind kindOf(const pb::FieldDescriptor &field)
{
    using Kind = ProtobufSchema::Kind;
    switch (field.type()) {
    case pb::FieldDescriptor::TYPE_INT32:
        return Kind::Int32;
    case pb::FieldDescriptor::TYPE_INT64:
        return Kind::Int64;
    case pb::FieldDescriptor::TYPE_UINT32:
        return Kind::UInt32;
    case pb::FieldDescriptor::TYPE_UINT64:
        return Kind::UInt64;
    case pb::FieldDescriptor::TYPE_SINT32:
    case pb::FieldDescriptor::TYPE_SINT64:
        return Kind::SInt;
    case pb::FieldDescriptor::TYPE_BOOL:
        return Kind::Bool;
    case pb::FieldDescriptor::TYPE_ENUM:
        return Kind::Enum;
    case pb::FieldDescriptor::TYPE_FIXED32:
        return Kind::Fixed32;
    case pb::FieldDescriptor::TYPE_SFIXED32:
        return Kind::SFixed32;
    case pb::FieldDescriptor::TYPE_FLOAT:
        return Kind::Float;
    case pb::FieldDescriptor::TYPE_FIXED64:
        return Kind::Fixed64;
    case pb::FieldDescriptor::TYPE_SFIXED64:
        return Kind::SFixed64;
    case pb::FieldDescriptor::TYPE_DOUBLE:
        return Kind::Double;
    case pb::FieldDescriptor::TYPE_STRING:
        return Kind::String;
    case pb::FieldDescriptor::TYPE_BYTES:
        return Kind::Bytes;
    case pb::FieldDescriptor::TYPE_MESSAGE:
        return Kind::Message;
    case pb::FieldDescriptor::TYPE_GROUP:
        return Kind::Group;
    }
    return Kind::Bytes;
}

/// Copies descriptors, which live no longer than their pool.
class SchemaBuilder
{
public:
    ProtobufSchema build(const pb::FileDescriptor &file)
    {
        for (int i = 0; i < file.message_type_count(); ++i)
            m_schema.topLevel.append(message(*file.message_type(i)));
        // Fields name further messages, from other files too.
        while (!m_waiting.empty()) {
            const pb::Descriptor *next = m_waiting.back();
            m_waiting.pop_back();
            fill(*next);
        }
        return std::move(m_schema);
    }

private:
    int message(const pb::Descriptor &descriptor)
    {
        const auto known = m_messages.constFind(&descriptor);
        if (known != m_messages.constEnd())
            return *known;
        const auto index = int(m_schema.messages.size());
        m_schema.messages.push_back({.name = text(descriptor.full_name())});
        m_messages.insert(&descriptor, index);
        m_waiting.push_back(&descriptor);
        return index;
    }

    int enumeration(const pb::EnumDescriptor &descriptor)
    {
        const auto known = m_enums.constFind(&descriptor);
        if (known != m_enums.constEnd())
            return *known;
        ProtobufSchema::Enum made;
        for (int i = descriptor.value_count() - 1; i >= 0; --i) // of aliases the first one
            made.names.insert(descriptor.value(i)->number(), text(descriptor.value(i)->name()));
        m_schema.enums.push_back(std::move(made));
        return *m_enums.insert(&descriptor, int(m_schema.enums.size()) - 1);
    }

    void fill(const pb::Descriptor &descriptor)
    {
        QHash<quint32, ProtobufSchema::Field> fields;
        for (int i = 0; i < descriptor.field_count(); ++i) {
            const pb::FieldDescriptor &field = *descriptor.field(i);
            ProtobufSchema::Field made{text(field.name()), kindOf(field)};
            if (field.message_type())
                made.type = message(*field.message_type());
            else if (field.enum_type())
                made.type = enumeration(*field.enum_type());
            fields.insert(quint32(field.number()), made);
        }
        QList<int> nested;
        for (int i = 0; i < descriptor.nested_type_count(); ++i)
            nested.append(message(*descriptor.nested_type(i)));
        auto &filled = m_schema.messages[size_t(m_messages.value(&descriptor))];
        filled.fields = std::move(fields);
        filled.nested = std::move(nested);
    }

    ProtobufSchema m_schema;
    QHash<const pb::Descriptor *, int> m_messages;
    QHash<const pb::EnumDescriptor *, int> m_enums;
    std::vector<const pb::Descriptor *> m_waiting;
};

Result<ProtobufSchema> compile(Texts texts, const QString &main)
{
    // Its warnings would go to standard error.
    [[maybe_unused]] static const auto before = pb::SetLogHandler(nullptr);
    FirstError problem;
    pb::compiler::Importer importer(&texts, &problem);
    const pb::FileDescriptor *file = importer.Import(main.toStdString());
    if (!file)
        return problem.error();
    return SchemaBuilder().build(*file);
}

Result<QByteArray> contentOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error::make(ErrorKind::Io, file.errorString(), {{}, {}, {}, path, {}});
    QByteArray content = file.read(kMaxTextBytes + 1);
    if (content.size() > kMaxTextBytes)
        return wrong(u"%1 is too large for a schema"_s.arg(path));
    return content;
}

/// As protoc --descriptor_set_out writes it; its last file is the main one.
Result<ProtobufSchema> fromDescriptorSet(const QByteArray &bytes, const QString &path)
{
    pb::FileDescriptorSet set;
    if (!set.ParseFromArray(bytes.constData(), int(bytes.size())) || set.file_size() == 0)
        return wrong(u"%1 is neither a .proto file nor a descriptor set"_s.arg(path));
    pb::SimpleDescriptorDatabase database;
    for (const pb::FileDescriptorProto &file : set.file())
        database.Add(file);
    FirstError problem;
    pb::DescriptorPool pool(&database, &problem);
    const auto *file = pool.FindFileByName(set.file(set.file_size() - 1).name());
    if (!file)
        return problem.error();
    return SchemaBuilder().build(*file);
}

} // namespace

Result<ProtobufSchema> readProtobufFile(const QString &path)
{
    auto content = contentOf(path);
    if (!content)
        return std::move(content).error();
    if (!path.endsWith(u".proto"_s, Qt::CaseInsensitive))
        return fromDescriptorSet(*content, path);
    const QFileInfo info(path);
    const auto find = [&](const QString &name) -> std::optional<QByteArray> {
        if (name == info.fileName())
            return *content;
        QDir folder = info.absoluteDir();
        do {
            if (!name.contains(u".."_s) && folder.exists(name)) {
                const auto found = contentOf(folder.filePath(name));
                return found ? std::optional(*found) : std::nullopt;
            }
        } while (folder.cdUp());
        return std::nullopt;
    };
    return compile(Texts(find), info.fileName());
}

Result<ProtobufSchema> parseProtobuf(const QMap<QString, QByteArray> &texts, const QString &main)
{
    const auto find = [&](const QString &name) {
        const auto found = texts.constFind(name);
        return found == texts.constEnd() ? std::nullopt : std::optional(*found);
    };
    return compile(Texts(find), main);
}

} // namespace topicscope
