#pragma once

class QWidget;

namespace topicscope
{
class PropertyCatalog;
}

namespace topicscope::ui
{

/// Opens a box with name, version and licence; returns at once.
/// @param kafka  what the library behind Apache Kafka is and lacks; null: a build without it.
void showAboutDialog(QWidget *parent, const PropertyCatalog *kafka);

} // namespace topicscope::ui
