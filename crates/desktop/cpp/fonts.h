// The faces of a terminal: cells of whole pixels, and glyphs that are placed one by one, without shaping.
#pragma once

#include <QtGui/QFont>
#include <QtGui/QFontDatabase>
#include <QtGui/QFontMetricsF>
#include <QtGui/QGlyphRun>
#include <QtGui/QPainter>
#include <QtGui/QRawFont>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>

#include "rust/cxx.h"

class Fonts
{
public:
  explicit Fonts(::std::int32_t pixels)
  {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    font.setPixelSize(pixels);
    font.setKerning(false);
    font.setHintingPreference(QFont::PreferFullHinting);
    for (int face = 0; face < 4; face++) {
      font.setBold(face & 1);
      font.setItalic(face & 2);
      m_fonts[face] = font;
      m_raw[face] = QRawFont::fromFont(font);
    }
    const QFontMetricsF metrics(m_fonts[0]);
    m_width = static_cast<int>(std::round(metrics.horizontalAdvance(QLatin1Char('M'))));
    // Lines stand apart by 1.35 times the size of the text, or what the font needs.
    m_height = std::max(static_cast<int>(std::ceil(metrics.height())), static_cast<int>(std::round(pixels * 1.35)));
    m_ascent = static_cast<int>(std::round(metrics.ascent() + (m_height - metrics.height()) / 2));
  }

  ::std::int32_t width() const { return std::max(1, m_width); }
  ::std::int32_t height() const { return std::max(1, m_height); }
  ::std::int32_t ascent() const { return m_ascent; }

  /// 0 when the face has no such character.
  ::std::uint32_t glyph(::std::uint8_t face, ::std::uint32_t character) const
  {
    const auto code = static_cast<char32_t>(character);
    const auto found = m_raw[face & 3].glyphIndexesForString(QString::fromUcs4(&code, 1));
    return found.isEmpty() ? 0 : found.first();
  }

  void fill(QPainter& painter, double x, double y, double w, double h, ::std::uint32_t argb) const
  {
    painter.fillRect(QRectF(x, y, w, h), QColor::fromRgba(argb));
  }

  /// `xy` has two numbers for each glyph.
  void glyphs(QPainter& painter, ::std::uint8_t face, ::std::uint32_t argb, double y,
              ::rust::Slice<const ::std::uint32_t> ids, ::rust::Slice<const double> xy) const
  {
    QGlyphRun run;
    run.setRawFont(m_raw[face & 3]);
    run.setRawData(ids.data(), reinterpret_cast<const QPointF*>(xy.data()), static_cast<int>(ids.size()));
    painter.setPen(QColor::fromRgba(argb));
    painter.drawGlyphRun(QPointF(0, y), run);
  }

  /// Text that the face has no glyph for, in whatever font has one.
  void text(QPainter& painter, ::std::uint8_t face, ::std::uint32_t argb, double x, double y, ::rust::Str text) const
  {
    painter.setFont(m_fonts[face & 3]);
    painter.setPen(QColor::fromRgba(argb));
    painter.drawText(QPointF(x, y), QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
  }

  /// 0 single, 1 double, 2 curly, 3 dotted, 4 dashed.
  void underline(QPainter& painter, ::std::uint8_t line, double x, double y, double w, ::std::uint32_t argb) const
  {
    QPen pen(QColor::fromRgba(argb), 1);
    if (line == 3)
      pen.setStyle(Qt::DotLine);
    if (line == 4)
      pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    if (line == 2) {
      QPolygonF wave;
      for (double at = 0; at <= w; at += 2)
        wave << QPointF(x + at, y + (static_cast<int>(at / 2) % 2 ? 1 : -1));
      painter.drawPolyline(wave);
      return;
    }
    painter.drawLine(QPointF(x, y + 0.5), QPointF(x + w, y + 0.5));
    if (line == 1)
      painter.drawLine(QPointF(x, y + 2.5), QPointF(x + w, y + 2.5));
  }

  double clipTop(const QPainter& painter) const { return painter.hasClipping() ? painter.clipBoundingRect().top() : 0; }
  double clipBottom(const QPainter& painter, double height) const
  {
    return painter.hasClipping() ? painter.clipBoundingRect().bottom() : height;
  }

private:
  std::array<QFont, 4> m_fonts;
  std::array<QRawFont, 4> m_raw;
  int m_width = 8;
  int m_height = 18;
  int m_ascent = 14;
};

inline std::unique_ptr<Fonts>
makeFonts(::std::int32_t pixels)
{
  return std::make_unique<Fonts>(pixels);
}
