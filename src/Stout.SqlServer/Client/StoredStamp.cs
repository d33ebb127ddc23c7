using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>Converts stored stamps.</summary>
internal static class StoredStamp
{
    /// <returns>The stamp; null if the bytes are invalid.</returns>
    public static Stamp? Read(byte[]? stored) => Stamp.TryRead(stored, out var stamp) ? stamp : null;
}
