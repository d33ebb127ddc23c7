using Stout.Sqlite.Native;

namespace Stout.Sqlite.Writing;

/// <summary>Writes to several keys, each with an outcome of its own.</summary>
internal interface IKeyedWork
{
    /// <summary>The number of keys.</summary>
    int Count { get; }

    /// <summary>Applies one key's write in the open transaction. After a rollback it is applied again.</summary>
    void Apply(int index);

    /// <summary>SQLite has refused one key; the key is certainly not applied.</summary>
    void Refuse(int index, SqliteFailure failure);

    /// <summary>The transaction of the keys from <paramref name="first"/> to <paramref name="end"/> has ended.</summary>
    /// <param name="first">The first key.</param>
    /// <param name="end">The key after the last one.</param>
    /// <param name="failure">Why the commit failed, or null.</param>
    void Settle(int first, int end, SqliteFailure? failure);
}
