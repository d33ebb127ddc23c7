namespace Stout.Cosmos.Requests;

/// <summary>The kinds of operations on items.</summary>
internal enum ItemOperationKind
{
    /// <summary>Creates the item; fails if it exists.</summary>
    Create,

    /// <summary>Creates or overwrites the item.</summary>
    Upsert,

    /// <summary>Overwrites the item; fails if it is missing, or has another ETag than the given one.</summary>
    Replace,

    /// <summary>Deletes the item; fails if it is missing, or has another ETag than the given one.</summary>
    Delete,
}

/// <summary>One operation of a transaction.</summary>
internal readonly record struct ItemOperation(ItemOperationKind Kind, string Id, MemoryStream? Body = null, string? ETag = null);
