namespace Stout.SqlServer.Client;

/// <summary>A run of keys in the order of a batch: the whole of it, or a part that one statement works on.</summary>
/// <param name="Keys">The order.</param>
/// <param name="First">The place of the first key in the order.</param>
/// <param name="Count">The number of keys.</param>
internal readonly record struct KeyRange(KeyOrder Keys, int First, int Count)
{
    /// <summary>The first half; the keys are at least two.</summary>
    public KeyRange FirstHalf => this with { Count = (Count + 1) / 2 };

    /// <summary>The keys behind <see cref="FirstHalf"/>.</summary>
    public KeyRange SecondHalf => this with { First = First + FirstHalf.Count, Count = Count - FirstHalf.Count };

    /// <summary>Whether the keys are suspects of the order.</summary>
    public bool AreSuspects => First >= Keys.Healthy.Count;

    /// <summary>The index in the batch of the key at a place of the range.</summary>
    public int IndexAt(int place) => Keys.IndexAt(First + place);

    /// <summary>The stored key at a place of the range.</summary>
    public ReadOnlySpan<byte> BytesOf(int place) => Keys.BytesOf(First + place);
}
