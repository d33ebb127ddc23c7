using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>Stamps as the tables keep them.</summary>
internal static class StoredStamp
{
    /// <returns>The stamp; null if the bytes are none.</returns>
    public static Stamp? Read(byte[]? stored) => Stamp.TryRead(stored, out var stamp) ? stamp : null;
}
