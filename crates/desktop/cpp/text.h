// Text as Qt has it, for Rust to hold.
#pragma once

#include <QtCore/QString>
#include <cstddef>

#include "rust/cxx.h"

// What src/bridge/text.rs says of it.
static_assert(sizeof(QString) == 3 * sizeof(::std::size_t) && alignof(QString) == alignof(::std::size_t));
static_assert(QTypeInfo<QString>::isRelocatable);
template<>
struct rust::IsRelocatable<QString> : ::std::true_type
{};

namespace text {

inline QString
make(::rust::Str words)
{
  return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

inline ::rust::String
words(const QString& text)
{
  return ::rust::String::lossy(reinterpret_cast<const char16_t*>(text.utf16()), static_cast<::std::size_t>(text.size()));
}

inline QString
copy(const QString& text)
{
  return text;
}

inline bool
same(const QString& one, const QString& other)
{
  return one == other;
}

inline void
end(QString& text)
{
  text.~QString();
}

} // namespace text
