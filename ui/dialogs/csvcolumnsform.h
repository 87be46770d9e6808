#pragma once

#include "core/transfer/recordsource.h"

#include <QWidget>

class QComboBox;

namespace topicscope::ui
{

/// Which column of a CSV file is what: a box a field, with the file's columns in it. Thread: GUI.
class CsvColumnsForm final : public QWidget
{
    Q_OBJECT
public:
    explicit CsvColumnsForm(QWidget *parent = nullptr);

    /// Chooses by the columns' names, unless they are those that are there already.
    void setColumns(const QStringList &names);
    /// Some fields count only with other settings.
    void setInEffect(bool partitions, bool times);
    transfer::CsvMapping mapping() const;

signals:
    void changed();

private:
    QComboBox *addBox(const QString &label, const char *name);
    void fill(QComboBox *box, const QString &none, const std::optional<qsizetype> &column);

    QStringList m_names;
    QComboBox *m_key;
    QComboBox *m_value;
    QComboBox *m_partition;
    QComboBox *m_headers;
    QComboBox *m_time;
};

} // namespace topicscope::ui
