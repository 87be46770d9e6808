#pragma once

#include <QWidget>

class QLineEdit;

namespace topicscope::ui
{

/// A certificate or key: a file, or PEM text taken from the clipboard.
class PemField final : public QWidget
{
    Q_OBJECT
public:
    /// @param title  of the file chooser
    PemField(const QString &name, const QString &title, QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(PemField)

    void setFile(const QString &file);
    void setPem(const QString &pem);
    /// One of the two is empty.
    QString file() const;
    QString pem() const { return m_pem; }

signals:
    void changed();

private:
    void chooseFile();
    void pastePem();

    QString m_title;
    QString m_pem;
    QLineEdit *m_line;
};

} // namespace topicscope::ui
