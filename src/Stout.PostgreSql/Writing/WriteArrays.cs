using System.Buffers;
using System.Text;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Writing;

/// <summary>The array parameters of the function write_batch. Values are not copied; keys and stamps are collected in one buffer.</summary>
internal sealed class WriteArrays : IDisposable
{
    private readonly List<int> _indexes = [];
    private byte[] _buffer = [];
    private int _used;

    [Flags]
    private enum Shape : short
    {
        BeginsAnew = 1,
        Deletes = 2,
        NamesOwn = 4,
        GivesOwn = 8,
        HasRows = 16,
    }

    public List<ReadOnlyMemory<byte>> Keys { get; } = [];

    public List<ReadOnlyMemory<byte>> Expected { get; } = [];

    public List<ReadOnlyMemory<byte>> Next { get; } = [];

    public List<short> Flags { get; } = [];

    public List<ReadOnlyMemory<byte>> Own { get; } = [];

    public List<int> RemovedPlaces { get; } = [];

    public List<ReadOnlyMemory<byte>> RemovedSubKeys { get; } = [];

    public List<int> PartPlaces { get; } = [];

    public List<ReadOnlyMemory<byte>> SubKeys { get; } = [];

    public List<ReadOnlyMemory<byte>> PartValues { get; } = [];

    /// <summary>The owners' epochs, for the places up to the last one with an owner.</summary>
    public List<long?> Epochs { get; } = [];

    /// <summary>The owners' claims, for the places up to the last one with an owner.</summary>
    public List<Guid?> Claims { get; } = [];

    /// <summary>The long keys of the writes that may create a header, for the places up to the last one with such a key.</summary>
    public List<byte[]?> LongKeys { get; } = [];

    /// <summary>The number of keys.</summary>
    public int Count => _indexes.Count;

    /// <summary>The batch index of an array element.</summary>
    /// <param name="place">The element's position, 1 to <see cref="Count"/>, as the server counts.</param>
    public int IndexAt(int place) => _indexes[place - 1];

    /// <summary>Fills the arrays with writes of a batch.</summary>
    /// <param name="batch">The batch.</param>
    /// <param name="indexes">The indexes of the writes; null for all undecided ones.</param>
    public void Fill(WriteBatch batch, IReadOnlyList<int>? indexes = null)
    {
        Reserve(batch);
        if (indexes is not null)
        {
            foreach (var index in indexes)
                Add(batch, index);
            return;
        }

        for (var i = 0; i < batch.Count; i++)
        {
            if (batch.OutcomeOf(i).Kind == WriteOutcomeKind.Unknown)
                Add(batch, i);
        }
    }

    /// <summary>Releases the batch's memory.</summary>
    public void Clear()
    {
        _used = 0;
        _indexes.Clear();
        Flags.Clear();
        RemovedPlaces.Clear();
        PartPlaces.Clear();
        Epochs.Clear();
        Claims.Clear();
        LongKeys.Clear();
        foreach (var list in (ReadOnlySpan<List<ReadOnlyMemory<byte>>>)[Keys, Expected, Next, Own, RemovedSubKeys, SubKeys, PartValues])
            list.Clear();
    }

    public void Dispose()
    {
        Clear();
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
    }

    private void Add(WriteBatch batch, int index)
    {
        var write = batch[index];
        _indexes.Add(index);
        Keys.Add(Take(Storage.LongKeys.WriteRowKey(write.Key, _buffer.AsSpan(_used))));
        Next.Add(Encode(write.Next));
        Expected.Add(write.Expected.IsAbsent ? default : Encode(write.Expected));
        AddOwner(write.Owner);
        AddLongKey(write);
        var shape = write.Kind switch { KeyWriteKind.Merge => default, KeyWriteKind.Replace => Shape.BeginsAnew, _ => Shape.BeginsAnew | Shape.Deletes };
        ReadOnlyMemory<byte> own = default;
        foreach (ref readonly var part in batch.PartsOf(index))
        {
            if (part.SubKey.IsRoot)
            {
                shape |= part.IsDeleted ? Shape.NamesOwn : Shape.NamesOwn | Shape.GivesOwn;
                own = part.Value;
            }
            else if (part.IsDeleted)
            {
                RemovedPlaces.Add(Count);
                RemovedSubKeys.Add(Encode(part.SubKey.Text));
            }
            else
            {
                shape |= Shape.HasRows;
                PartPlaces.Add(Count);
                SubKeys.Add(Encode(part.SubKey.Text));
                PartValues.Add(part.Value);
            }
        }

        Own.Add(own);
        Flags.Add((short)shape);
    }

    /// <summary>Adds the owner of the newest key. A key beyond the end of the arrays has no owner, so a batch without owners sends empty arrays.</summary>
    private void AddOwner(in KeyOwner owner)
    {
        if (owner == KeyOwner.None)
            return;
        while (Epochs.Count < Count - 1)
        {
            Epochs.Add(null);
            Claims.Add(null);
        }

        Epochs.Add(StoredOwner.EpochOf(owner));
        Claims.Add(StoredOwner.ClaimOf(owner));
    }

    // Only a write that may create a header sends its long key: an existing header keeps its own.
    private void AddLongKey(in KeyWrite write)
    {
        if (!write.Expected.IsAbsent || write.Owner != KeyOwner.None || Storage.LongKeys.StoredOf(write.Key) is not { } stored)
            return;
        while (LongKeys.Count < Count - 1)
            LongKeys.Add(null);
        LongKeys.Add(stored);
    }

    private ReadOnlyMemory<byte> Encode(string text) => Take(Encoding.UTF8.GetBytes(text, _buffer.AsSpan(_used)));

    private ReadOnlyMemory<byte> Encode(Stamp stamp)
    {
        stamp.Write(_buffer.AsSpan(_used));
        return Take(Stamp.Bytes);
    }

    private ReadOnlyMemory<byte> Take(int length)
    {
        _used += length;
        return _buffer.AsMemory(_used - length, length);
    }

    private void Reserve(WriteBatch batch)
    {
        var bytes = batch.Count * 2 * Stamp.Bytes;
        for (var i = 0; i < batch.Count; i++)
        {
            bytes += Encoding.UTF8.GetMaxByteCount(batch[i].Key.Text.Length);
            foreach (ref readonly var part in batch.PartsOf(i))
                bytes += Encoding.UTF8.GetMaxByteCount(part.SubKey.Text.Length);
        }

        if (_buffer.Length >= bytes)
            return;
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = ArrayPool<byte>.Shared.Rent(bytes);
    }
}
