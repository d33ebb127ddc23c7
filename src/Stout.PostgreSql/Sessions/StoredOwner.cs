using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql.Sessions;

/// <summary>
/// An owner as the columns <c>epoch</c> and <c>claim</c>. Null stands for 0 and for a missing claim, so a key without an owner needs no bytes for it.
/// </summary>
internal static class StoredOwner
{
    public static long? EpochOf(in KeyOwner owner) => owner.Epoch == 0 ? null : owner.Epoch;

    public static Guid? ClaimOf(in KeyOwner owner) => owner.IsClaimed ? owner.Claim : null;

    /// <summary>Reads an owner.</summary>
    /// <param name="row">The row.</param>
    /// <param name="column">The column of the epoch; the claim's follows.</param>
    /// <returns>The owner; null if the columns are damaged.</returns>
    public static KeyOwner? Read(NpgsqlDataReader row, int column)
    {
        var owner = new KeyOwner(row.IsDBNull(column) ? 0 : row.GetInt64(column), row.IsDBNull(column + 1) ? Guid.Empty : row.GetGuid(column + 1));
        return owner.Epoch > 0 || (owner == KeyOwner.None && row.IsDBNull(column)) ? owner : null;
    }
}
