using Npgsql;

namespace Stout.PostgreSql.Reading;

/// <summary>Reads a column of bytes.</summary>
internal static class StoredBytes
{
    /// <returns>The bytes; null if the column is null.</returns>
    public static byte[]? Read(NpgsqlDataReader row, int column) => row.IsDBNull(column) ? null : row.GetFieldValue<byte[]>(column);
}
