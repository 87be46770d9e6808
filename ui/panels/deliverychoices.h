#pragma once

class QComboBox;

namespace topicscope
{
struct Capabilities;
}

namespace topicscope::ui
{

// Boxes with what an engine lets one choose of how records are sent, its default first; each item's
// data is the value. They are emptied first. Thread: GUI.

void offerPartitioners(QComboBox *box, const Capabilities &capabilities);
void offerCompressions(QComboBox *box, const Capabilities &capabilities);
void offerAckPolicies(QComboBox *box, const Capabilities &capabilities);

} // namespace topicscope::ui
