#pragma once

namespace topicscope
{

enum class ConnectionState {
    Connecting, ///< first attempt running
    Connected,
    Lost, ///< was or could not be connected; the next attempt comes after a back-off
};

} // namespace topicscope
