using Stout.Sqlite.Native;

namespace Stout.Sqlite.Writing;

/// <summary>Writes to several keys, each with its own outcome.</summary>
internal interface IKeyedWork
{
    /// <summary>The number of keys.</summary>
    int Count { get; }

    /// <summary>Applies one key's write in the open transaction. After a rollback the method is called again.</summary>
    void Apply(int index);

    /// <summary>Records that SQLite refused one key, whose write is certainly not applied.</summary>
    void Refuse(int index, SqliteFailure failure);

    /// <summary>Records the end of the transaction of the keys from <paramref name="first"/> to <paramref name="end"/>.</summary>
    /// <param name="first">The first key.</param>
    /// <param name="end">The key after the last one.</param>
    /// <param name="failure">The error of a failed commit, or null.</param>
    void Settle(int first, int end, SqliteFailure? failure);
}
