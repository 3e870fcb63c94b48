// What a terminal is painted on: the parts of QQuickPaintedItem that Rust is told of, in types that both sides have.
#pragma once

#include <QtCore/QRectF>
#include <QtCore/QString>
#include <QtGui/QAccessible>
#include <QtGui/QGuiApplication>
#include <QtGui/QInputMethod>
#include <QtGui/QInputMethodEvent>
#include <QtGui/QKeyEvent>
#include <QtQuick/QQuickPaintedItem>
#include <cmath>
#include <cstdint>

class Surface : public QQuickPaintedItem
{
public:
  explicit Surface(QObject* parent = nullptr)
    : QQuickPaintedItem(qobject_cast<QQuickItem*>(parent))
  {
    setOpaquePainting(true);
    setFlag(ItemAcceptsInputMethod);
    setActiveFocusOnTab(true);
  }

  /// A key. Whether it was for the terminal.
  virtual bool typed(::std::int32_t, ::std::uint32_t, const QString&) { return false; }
  /// An input method has made text, or shows what it is about to make.
  virtual void composed(const QString&, const QString&) {}
  virtual void resized(double, double) {}
  virtual void focused(bool) {}

  /// Has so many pixels painted again. Always a rectangle: Qt loses an update of everything before one of a part.
  void refresh(::std::int32_t y, ::std::int32_t height)
  {
    update(QRect(0, y, static_cast<int>(std::ceil(width())), height));
  }

  /// Where the cursor is, for the window of an input method.
  void placeCursor(double x, double y, double w, double h)
  {
    m_cursor = QRectF(x, y, w, h);
    if (hasActiveFocus())
      QGuiApplication::inputMethod()->update(Qt::ImCursorRectangle);
  }

  bool isRead() const { return QAccessible::isActive(); }

  void tellEdit(::std::int32_t at, const QString& removed, const QString& inserted)
  {
    QAccessibleTextUpdateEvent event(this, at, removed, inserted);
    QAccessible::updateAccessibility(&event);
  }

  void tellCursor(::std::int32_t at)
  {
    QAccessibleTextCursorEvent event(this, at);
    QAccessible::updateAccessibility(&event);
  }

protected:
  void keyPressEvent(QKeyEvent* event) override
  {
    event->setAccepted(typed(event->key(), static_cast<::std::uint32_t>(event->modifiers().toInt()), event->text()));
  }

  void inputMethodEvent(QInputMethodEvent* event) override
  {
    composed(event->preeditString(), event->commitString());
    event->accept();
  }

  QVariant inputMethodQuery(Qt::InputMethodQuery query) const override
  {
    switch (query) {
      case Qt::ImEnabled:
        return true;
      case Qt::ImCursorRectangle:
        return m_cursor;
      case Qt::ImHints:
        return static_cast<int>(Qt::ImhNoPredictiveText | Qt::ImhNoAutoUppercase | Qt::ImhSensitiveData);
      default:
        return QQuickPaintedItem::inputMethodQuery(query);
    }
  }

  void geometryChange(const QRectF& now, const QRectF& before) override
  {
    QQuickPaintedItem::geometryChange(now, before);
    if (now.size() != before.size())
      resized(now.width(), now.height());
  }

  void focusInEvent(QFocusEvent* event) override
  {
    QQuickPaintedItem::focusInEvent(event);
    focused(true);
  }

  void focusOutEvent(QFocusEvent* event) override
  {
    QQuickPaintedItem::focusOutEvent(event);
    focused(false);
  }

private:
  QRectF m_cursor;
};
