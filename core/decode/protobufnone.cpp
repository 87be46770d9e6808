#include "core/decode/protobuffiles.h"

// Stands in for protobuffiles.cpp in a build without libprotobuf.

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

Error notBuilt()
{
    return Error::make(ErrorKind::Unsupported,
                       u"this build reads no Protobuf schemas (WITH_PROTOBUF)"_s);
}

} // namespace

Result<ProtobufSchema> readProtobufFile(const QString & /*path*/)
{
    return notBuilt();
}

Result<ProtobufSchema> parseProtobuf(const QMap<QString, QByteArray> & /*texts*/,
                                     const QString & /*main*/)
{
    return notBuilt();
}

} // namespace topicscope
