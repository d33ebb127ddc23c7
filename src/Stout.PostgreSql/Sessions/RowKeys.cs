using Stout.Storage;

namespace Stout.PostgreSql.Sessions;

/// <summary>Row keys as parameters.</summary>
internal static class RowKeys
{
    public static byte[] Of(PartitionKey key)
    {
        Span<byte> rowKey = stackalloc byte[LongKeys.RowKeyBytes];
        return rowKey[..LongKeys.WriteRowKey(key, rowKey)].ToArray();
    }
}
