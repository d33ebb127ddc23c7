namespace Stout.Cosmos.Requests;

/// <summary>What an operation does to its item.</summary>
internal enum ItemOperationKind
{
    /// <summary>Makes it; fails if it is there.</summary>
    Create,

    /// <summary>Makes or overwrites it.</summary>
    Upsert,

    /// <summary>Overwrites it; fails if it is not there, or has another ETag than the given one.</summary>
    Replace,

    /// <summary>Removes it; fails if it is not there, or has another ETag than the given one.</summary>
    Delete,
}

/// <summary>One operation of a transaction.</summary>
internal readonly record struct ItemOperation(ItemOperationKind Kind, string Id, MemoryStream? Body = null, string? ETag = null);
