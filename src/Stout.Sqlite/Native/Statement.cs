using System.Text;
using SQLitePCL;
using Stout.Storage;

namespace Stout.Sqlite.Native;

/// <summary>A prepared statement, reused as long as its connection lives. Parameters count from 1, columns from 0.</summary>
internal sealed class Statement(Connection connection, sqlite3_stmt handle)
{
    public Statement Bind(int parameter, ReadOnlySpan<byte> blob)
    {
        // An empty span has a null address, which SQLite would store as NULL.
        connection.Check(blob.IsEmpty
            ? raw.sqlite3_bind_zeroblob(handle, parameter, 0)
            : raw.sqlite3_bind_blob(handle, parameter, blob));
        return this;
    }

    public Statement Bind(int parameter, long value)
    {
        connection.Check(raw.sqlite3_bind_int64(handle, parameter, value));
        return this;
    }

    public Statement BindNull(int parameter)
    {
        connection.Check(raw.sqlite3_bind_null(handle, parameter));
        return this;
    }

    /// <summary>Binds a row key as a BLOB of UTF-8, since SQLite ends a TEXT at its first U+0000 in some places.</summary>
    public Statement Bind(int parameter, PartitionKey key)
    {
        Span<byte> utf8 = stackalloc byte[LongKeys.RowKeyBytes];
        return Bind(parameter, utf8[..LongKeys.WriteRowKey(key, utf8)]);
    }

    /// <summary>Binds the column <c>long_key</c> of a header: the whole key if it is long, otherwise NULL.</summary>
    public Statement BindLong(int parameter, PartitionKey key) =>
        LongKeys.StoredOf(key) is { } stored ? Bind(parameter, stored) : BindNull(parameter);

    /// <summary>Binds a text, such as a sub-key, as a BLOB of UTF-8.</summary>
    /// <param name="parameter">The parameter.</param>
    /// <param name="text">At most <see cref="SubKey.MaxBytes"/> bytes.</param>
    public Statement Bind(int parameter, string text)
    {
        Span<byte> utf8 = stackalloc byte[SubKey.MaxBytes];
        return Bind(parameter, utf8[..Encoding.UTF8.GetBytes(text, utf8)]);
    }

    public Statement Bind(int parameter, in Storage.Stamp stamp)
    {
        Span<byte> bytes = stackalloc byte[Storage.Stamp.Bytes];
        stamp.Write(bytes);
        return Bind(parameter, bytes);
    }

    /// <summary>Binds an owner; <see cref="KeyOwner.None"/> as NULL.</summary>
    public Statement Bind(int parameter, in KeyOwner owner)
    {
        if (owner == KeyOwner.None)
            return BindNull(parameter);
        Span<byte> bytes = stackalloc byte[KeyOwner.Bytes];
        owner.Write(bytes);
        return Bind(parameter, bytes);
    }

    /// <summary>Goes to the next row. After the last row it returns false and resets the statement for its next use.</summary>
    public bool Step()
    {
        var code = raw.sqlite3_step(handle);
        if (code == raw.SQLITE_ROW)
            return true;
        var failure = code == raw.SQLITE_DONE ? null : connection.Failure(code);
        Reset();
        return failure is null ? false : throw failure;
    }

    /// <summary>Executes a statement that returns no rows.</summary>
    public void Run() => Step();

    /// <summary>Skips the remaining rows.</summary>
    public void Reset() => _ = raw.sqlite3_reset(handle); // Returns the error of the last step again, which has been reported.

    /// <summary>An integer that the statement computes, such as a count.</summary>
    public long Integer(int column) => raw.sqlite3_column_int64(handle, column);

    /// <summary>An integer column. Its type is checked, since SQLite stores values of any type in any column.</summary>
    /// <exception cref="SqliteFailure">The value has another type.</exception>
    public long Number(int column) => raw.sqlite3_column_type(handle, column) == raw.SQLITE_INTEGER
        ? Integer(column)
        : throw SqliteFailure.DamagedRow("a number is none");

    /// <summary>A column with the values 0 and 1.</summary>
    /// <exception cref="SqliteFailure">The value is neither 0 nor 1.</exception>
    public bool Flag(int column) => Number(column) switch
    {
        0 => false,
        1 => true,
        _ => throw SqliteFailure.DamagedRow("a flag is neither 0 nor 1"),
    };

    /// <summary>A time in milliseconds since 1970, or null.</summary>
    /// <exception cref="SqliteFailure">The value has another type, or is negative.</exception>
    public long? Time(int column)
    {
        if (IsNull(column))
            return null;
        return Number(column) is >= 0 and var time ? time : throw SqliteFailure.DamagedRow("a time is none");
    }

    /// <summary>A BLOB column. Valid until the next step or reset.</summary>
    /// <exception cref="SqliteFailure">The value has another type.</exception>
    public ReadOnlySpan<byte> Bytes(int column) => raw.sqlite3_column_type(handle, column) == raw.SQLITE_BLOB
        ? Blob(column)
        : throw SqliteFailure.DamagedRow("a value is no BLOB");

    /// <summary>The place of the object's own value.</summary>
    /// <exception cref="SqliteFailure">The value is not a valid place.</exception>
    public RootPlace Root(int column) => Number(column) is >= 0 and <= (long)RootPlace.Row and var place
        ? (RootPlace)place
        : throw SqliteFailure.DamagedRow("the place of the object's own bytes is unknown");

    public bool IsNull(int column) => raw.sqlite3_column_type(handle, column) == raw.SQLITE_NULL;

    /// <summary>The bytes of a column, whose type is not checked. Valid until the next step or reset.</summary>
    public ReadOnlySpan<byte> Blob(int column) => raw.sqlite3_column_blob(handle, column);

    /// <summary>A text; empty for NULL.</summary>
    public string Text(int column) => raw.sqlite3_column_text(handle, column).utf8_to_string() ?? "";

    /// <summary>A stamp.</summary>
    /// <exception cref="SqliteFailure">The value is not a valid stamp.</exception>
    public Storage.Stamp Stamp(int column) => Storage.Stamp.TryRead(Bytes(column), out var stamp)
        ? stamp
        : throw SqliteFailure.DamagedRow("a stamp is none");

    /// <summary>Reads an owner; <see cref="KeyOwner.None"/> for NULL.</summary>
    /// <exception cref="SqliteFailure">The column holds something else.</exception>
    public KeyOwner Owner(int column)
    {
        if (IsNull(column))
            return KeyOwner.None;
        return KeyOwner.TryRead(Bytes(column), out var owner) && owner != KeyOwner.None ? owner : throw SqliteFailure.DamagedRow("an owner is none");
    }

    public void Close() => raw.sqlite3_finalize(handle);
}
