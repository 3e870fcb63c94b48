// A list with a key and a JSON text in each row, as QML wants it. The rows themselves are Rust's.
#pragma once

#include <QtCore/QAbstractListModel>
#include <cstdint>

class RowList : public QAbstractListModel
{
public:
  explicit RowList(QObject* parent = nullptr)
    : QAbstractListModel(parent)
  {
  }

  virtual ::std::int32_t length() const { return 0; }
  virtual QString key(::std::int32_t) const { return {}; }
  virtual QString at(::std::int32_t) const { return {}; }

  int rowCount(const QModelIndex& = {}) const override { return length(); }

  QVariant data(const QModelIndex& index, int role) const override
  {
    switch (role) {
      case Key:
        return key(index.row());
      case Json:
        return at(index.row());
      default:
        return {};
    }
  }

  QHash<int, QByteArray> roleNames() const override { return { { Key, "key" }, { Json, "json" } }; }

  /// Each change of Rust's rows stands between its announcement and its end.
  void beginInsert(::std::int32_t at) { beginInsertRows({}, at, at); }
  void endInsert() { endInsertRows(); }
  void beginRemove(::std::int32_t at) { beginRemoveRows({}, at, at); }
  void endRemove() { endRemoveRows(); }
  void tellChanged(::std::int32_t at)
  {
    const QModelIndex row = index(at);
    emit dataChanged(row, row);
  }

private:
  enum Role
  {
    Key = Qt::UserRole + 1,
    Json,
  };
};
