// The program's own part of Qt: it starts, finds its QML or says why not, copies, and notifies.
#pragma once

#include <QtCore/QFile>
#include <QtCore/QLoggingCategory>
#include <QtCore/QTimer>
#include <QtCore/QUrl>
#include <QtDBus/QDBusConnection>
#include <QtDBus/QDBusMessage>
#include <QtGui/QAccessible>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QIcon>
#include <QtGui/QStyleHints>
#include <QtQml/QQmlApplicationEngine>
#include <QtQuick/QQuickWindow>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

#include "rust/cxx.h"

namespace platform {

inline QString
text(::rust::Str text)
{
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// What Qt and QML have complained about so far, for the one message of a start that failed.
inline std::string&
complaints()
{
  static std::string said;
  return said;
}

inline bool&
chatty()
{
  static bool is = false;
  return is;
}

inline void
heard(QtMsgType type, const QMessageLogContext&, const QString& message)
{
  const std::string said = message.toStdString();
  if (type == QtFatalMsg) {
    // Qt is about to abort, which it does when there is no display that it can use.
    std::fprintf(stderr, "%s\ninteractive-terminal: no display can be used: set DISPLAY or WAYLAND_DISPLAY, or use `flightdeck open`\n",
                 said.c_str());
    std::fflush(stderr);
    _exit(69);
  }
  if (type != QtDebugMsg && type != QtInfoMsg && complaints().size() < 4096)
    complaints() += said + "\n";
  if (chatty())
    std::fprintf(stderr, "qt: %s\n", said.c_str());
}

/// What has Qt listen for screen readers for as long as it runs. Otherwise Qt 6.4 looks once whether there is one, when it
/// starts, and one that comes later hears nothing.
inline constexpr const char* LISTENING = "QT_LINUX_ACCESSIBILITY_ALWAYS_ON";

/// Sets that. Whether it was not set: then it is no business of the programs that are started from here. Before any thread.
inline bool
listen()
{
  return !qEnvironmentVariableIsSet(LISTENING) && qputenv(LISTENING, "1");
}

/// Qt asks who listens to what is shown, and only then has itself told who else comes. Whoever comes in between is missed
/// until the registry speaks again; so it is made to, as soon as Qt listens.
class Ears : public QAccessible::ActivationObserver
{
  void accessibilityActiveChanged(bool active) override
  {
    // It is told before Qt is ready itself.
    if (active)
      QTimer::singleShot(0, qApp, &Ears::stir);
  }

  static void stir()
  {
    const QDBusConnection bus(QStringLiteral("a11y")); // the one that Qt has made
    const auto registry = QStringLiteral("org.a11y.atspi.Registry");
    for (const auto& method : { QStringLiteral("RegisterEvent"), QStringLiteral("DeregisterEvent") }) {
      QDBusMessage call = QDBusMessage::createMethodCall(registry, QStringLiteral("/org/a11y/atspi/registry"), registry, method);
      bus.send(call << QStringLiteral("document:load-complete"));
    }
  }
};

/// Runs the window to its end. -1: the QML could not be loaded, and `complaints` says why.
inline ::std::int32_t
run(::rust::Str url, bool verbose)
{
  chatty() = verbose;
  qInstallMessageHandler(heard);
  static int argc = 1;
  static char name[] = "interactive-terminal";
  static char* argv[] = { name, nullptr };
  // A grid of characters is painted faster without a GPU than it is uploaded to one, and this works on any display.
  if (!qEnvironmentVariableIsSet("QT_QUICK_BACKEND") && !qEnvironmentVariableIsSet("QSG_RHI_BACKEND"))
    QQuickWindow::setGraphicsApi(QSGRendererInterface::Software);
  // Qt would let 5 ms go by in case that more is to be painted. What is painted is paced already.
  if (!qEnvironmentVariableIsSet("QT_QPA_UPDATE_IDLE_TIME"))
    qputenv("QT_QPA_UPDATE_IDLE_TIME", "0");
  QGuiApplication app(argc, argv);
  app.setApplicationName(QStringLiteral("interactive-terminal"));
  app.setApplicationDisplayName(QStringLiteral("Flightdeck"));
  app.setDesktopFileName(QStringLiteral("interactive-terminal"));
  static Ears ears;
  QAccessible::installActivationObserver(&ears);
  QQmlApplicationEngine engine;
  engine.addImportPath(QStringLiteral("qrc:/qt/qml")); // by itself only from Qt 6.5 on
  engine.load(QUrl(text(url)));
  if (engine.rootObjects().isEmpty())
    return -1;
  return QGuiApplication::exec();
}

/// Ends the process at once, whatever Qt is about to do.
inline void
leave(::std::int32_t code)
{
  std::fflush(nullptr);
  _exit(code);
}

inline ::rust::String
said()
{
  return complaints();
}

inline void
copy(::rust::Str words, bool selection)
{
  QClipboard* clipboard = QGuiApplication::clipboard();
  clipboard->setText(text(words), selection && clipboard->supportsSelection() ? QClipboard::Selection : QClipboard::Clipboard);
}

inline ::rust::String
copied(bool selection)
{
  const QClipboard* clipboard = QGuiApplication::clipboard();
  const auto mode = selection && clipboard->supportsSelection() ? QClipboard::Selection : QClipboard::Clipboard;
  return clipboard->text(mode).toStdString();
}

/// A desktop notification, for a window that nobody looks at. Where there is nobody to show it, nothing happens.
inline void
notify(::rust::Str title, ::rust::Str body)
{
  // Without one, asking for the bus would start a bus.
  if (!qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") &&
      !QFile::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus")))
    return;
  QDBusMessage call = QDBusMessage::createMethodCall(QStringLiteral("org.freedesktop.Notifications"),
                                                     QStringLiteral("/org/freedesktop/Notifications"),
                                                     QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
  const QVariantMap hints{ { QStringLiteral("urgency"), QVariant::fromValue<uchar>(2) },
                           { QStringLiteral("desktop-entry"), QStringLiteral("interactive-terminal") } };
  call << QStringLiteral("Flightdeck") << 0U << QStringLiteral("dialog-question") << text(title)
       << text(body).toHtmlEscaped() << QStringList() << hints << -1;
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (bus.isConnected())
    bus.send(call);
}

} // namespace platform
