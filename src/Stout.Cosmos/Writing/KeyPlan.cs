using Stout.Cosmos.Items;
using Stout.Cosmos.Requests;
using Stout.Storage;

namespace Stout.Cosmos.Writing;

/// <summary>The operations that write one key. The header's operation comes first. If its condition fails, no operation is applied.</summary>
internal sealed class KeyPlan
{
    private readonly HeaderToken _header;

    private KeyPlan(BatchedKey change, List<ItemOperation> operations, HeaderToken header, bool makesGarbage)
    {
        Change = change;
        Operations = operations;
        MakesGarbage = makesGarbage;
        _header = header;
    }

    public BatchedKey Change { get; }

    public List<ItemOperation> Operations { get; }

    /// <summary>Whether the write leaves items of a dead generation to the sweeper.</summary>
    public bool MakesGarbage { get; }

    public void Commit(string etag) => Change.Commit(_header with { ETag = etag });

    public static KeyPlan Of(BatchedKey change, ItemWriter items, TimeSpan retention)
    {
        var (write, old) = (change.Write, change.Header);

        var begins = write.Kind != KeyWriteKind.Merge || old is null or { IsDeleted: true };
        var operations = new List<ItemOperation>(change.Parts.Length + 3) { default };
        var header = write.Kind == KeyWriteKind.Delete
            ? new HeaderToken("", write.Owner, write.Next, RootPlace.None, HasRows: false, IsDeleted: true, KnownParts.None)
            : PlanParts(change, begins ? null : old, items, operations);
        operations[0] = PlanHeader(change, header, items, retention);
        var makesGarbage = begins && old is { HasRows: true } && !TryRemove(change, old, items, operations);
        if (makesGarbage)
        {
            var id = ItemIds.GarbageOf(change.EncodedKey);
            operations.Add(new ItemOperation(ItemOperationKind.Upsert, id, items.Garbage(id)));
        }

        return new KeyPlan(change, operations, header, makesGarbage);
    }

    /// <summary>Removes the items of the ending generation in the same transaction, if they are known and fit.</summary>
    /// <returns>Whether the transaction removes the items; otherwise the sweeper does.</returns>
    private static bool TryRemove(BatchedKey change, HeaderToken old, ItemWriter items, List<ItemOperation> operations)
    {
        if (old.Parts is not { SubKeys: var parts } || operations.Count + parts.Count + 1 > CosmosLimits.MaxOperations)
            return false;
        if (old.Root == RootPlace.Row)
            Remove(SubKey.Root);
        foreach (var part in parts)
            Remove(part);
        return true;

        // The item is overwritten, since deleting a missing item would fail the transaction.
        void Remove(SubKey subKey)
        {
            var id = ItemIds.PartOf(change.EncodedKey, old.Generation, subKey);
            operations.Add(new ItemOperation(ItemOperationKind.Upsert, id, items.RemovedPart(id)));
        }
    }

    /// <summary>
    /// Adds the operations on parts, and returns the header's state after the write. An object's own value is in its header only if the object has no other
    /// parts. A change of a part therefore need not write or know that value.
    /// </summary>
    private static HeaderToken PlanParts(BatchedKey change, HeaderToken? old, ItemWriter items, List<ItemOperation> operations)
    {
        var generation = old?.Generation ?? change.Write.Next;
        var root = old?.Root ?? RootPlace.None;
        var hasRows = old is { HasRows: true } || HasRow(change.Parts);
        if (hasRows && change.KeepsInline)
        {
            root = RootPlace.Row;
            Put(SubKey.Root, change.Inline);
        }

        foreach (ref readonly var part in change.Parts)
        {
            if (part.SubKey.IsRoot)
            {
                var place = part.IsDeleted ? RootPlace.None : hasRows ? RootPlace.Row : RootPlace.Inline;
                if (place == RootPlace.Row)
                    Put(part.SubKey, part.Value.Span);
                else if (root == RootPlace.Row)
                    Remove(part.SubKey);
                root = place;
            }
            else if (!part.IsDeleted)
            {
                Put(part.SubKey, part.Value.Span);
            }
            else if (old is { HasRows: true })
            {
                Remove(part.SubKey);
            }
        }

        return new HeaderToken("", change.Write.Owner, generation, root, hasRows, IsDeleted: false, (old is null ? KnownParts.None : old.Parts)?.After(change.Parts));

        void Put(SubKey subKey, ReadOnlySpan<byte> value)
        {
            var id = ItemIds.PartOf(change.EncodedKey, generation, subKey);
            operations.Add(new ItemOperation(ItemOperationKind.Upsert, id, items.Part(id, value)));
        }

        void Remove(SubKey subKey)
        {
            var id = ItemIds.PartOf(change.EncodedKey, generation, subKey);
            operations.Add(new ItemOperation(ItemOperationKind.Upsert, id, items.RemovedPart(id)));
        }
    }

    private static ItemOperation PlanHeader(BatchedKey change, HeaderToken header, ItemWriter items, TimeSpan retention)
    {
        var id = ItemIds.HeaderOf(change.EncodedKey);
        var key = new KeyHeader(change.Write.Next, change.Write.Owner);
        var body = header.IsDeleted
            ? items.EmptyHeader(id, change.Write.Key, key, header.Generation, retention)
            : items.Header(id, change.Write.Key, key, header.Generation, header.Root, header.HasRows, InlineOf(change));
        return change.Header is { } old
            ? new ItemOperation(ItemOperationKind.Replace, id, body, old.ETag)
            : new ItemOperation(ItemOperationKind.Create, id, body);
    }

    private static ReadOnlySpan<byte> InlineOf(BatchedKey change)
    {
        foreach (ref readonly var part in change.Parts)
        {
            if (part.SubKey.IsRoot)
                return part.Value.Span;
        }

        return change.Inline;
    }

    private static bool HasRow(ReadOnlySpan<PartWrite> parts)
    {
        foreach (ref readonly var part in parts)
        {
            if (!part.IsDeleted && RootPlaces.IsRow(part))
                return true;
        }

        return false;
    }
}
