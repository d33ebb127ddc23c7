using System.Collections.Concurrent;
using System.Text;
using Stout.Storage;
using Suite = Stout.Testing.StorageProxySpecification;

namespace Stout.Testing.Tests.Broken;

/// <summary>Proxies that return other keys or values than were written.</summary>
internal static partial class BrokenProxies
{
    [CaughtBy(nameof(Suite.Odd_keys_stay_different_keys))]
    public static BrokenPromise Has_keys_that_ignore_case() => WithKeys(text => text.ToUpperInvariant());

    [CaughtBy(nameof(Suite.Odd_keys_stay_different_keys))]
    public static BrokenPromise Drops_zero_bytes_at_the_end_of_keys() => WithKeys(text => text.TrimEnd('\0'));

    [CaughtBy(nameof(Suite.Odd_keys_stay_different_keys))]
    public static BrokenPromise Drops_blanks_at_the_end_of_keys() => WithKeys(text => text.TrimEnd(' '));

    [CaughtBy(nameof(Suite.Odd_keys_stay_different_keys))]
    public static BrokenPromise Unescapes_keys() => WithKeys(Uri.UnescapeDataString);

    [CaughtBy(nameof(Suite.Control_characters_come_back_as_they_were_and_so_do_values_without_bytes))]
    public static BrokenPromise Takes_control_characters_of_keys_for_blanks() => WithKeys(WithoutControls);

    [CaughtBy(nameof(Suite.Control_characters_come_back_as_they_were_and_so_do_values_without_bytes))]
    public static BrokenPromise Takes_control_characters_of_sub_keys_for_blanks() =>
        WithParts(part => part with { SubKey = new SubKey(WithoutControls(part.SubKey.Text)) });

    [CaughtBy(nameof(Suite.Odd_keys_of_one_batch_stay_different_keys))]
    public static BrokenPromise Sorts_a_batch_by_keys_that_ignore_case() => new()
    {
        Sends = (batch, index) => !Enumerable.Range(0, index).Any(
            earlier => batch[earlier].Key.Text.Equals(batch[index].Key.Text, StringComparison.OrdinalIgnoreCase)),
        OutcomeOfUnsent = WriteOutcomeKind.Committed,
    };

    [CaughtBy(nameof(Suite.Odd_sub_keys_stay_different_parts))]
    public static BrokenPromise Has_sub_keys_that_ignore_case() =>
        WithParts(part => part with { SubKey = new SubKey(part.SubKey.Text.ToUpperInvariant()) });

    [CaughtBy(nameof(Suite.Value_of_no_bytes_is_a_value))]
    public static BrokenPromise Deletes_a_value_of_no_bytes() => WithParts(part => part with { IsDeleted = part.Value.IsEmpty });

    [CaughtBy(nameof(Suite.Values_come_back_bit_for_bit))]
    public static BrokenPromise Keeps_values_as_text() =>
        WithParts(part => part with { Value = Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(part.Value.Span)) });

    [CaughtBy(nameof(Suite.Values_come_back_bit_for_bit))]
    public static BrokenPromise Drops_zero_bytes_at_the_end_of_values() => WithParts(part => part with { Value = part.Value.TrimEnd((byte)0) });

    [CaughtBy(nameof(Suite.Memory_of_a_batch_is_the_callers_again_when_the_call_ends))]
    public static BrokenPromise Keeps_the_memory_of_the_batch()
    {
        var kept = new ConcurrentDictionary<(PartitionKey Key, SubKey SubKey), ReadOnlyMemory<byte>>();
        return new()
        {
            Write = (store, write, parts) =>
            {
                foreach (var part in parts)
                    kept[(write.Key, part.SubKey)] = part.Value;
                return store.WriteAsync(write, parts);
            },
            Read = (store, read) => ReadAsync(store, read, part => part with { Value = kept[(read.Key, part.SubKey)] }),
        };
    }

    [CaughtBy(nameof(Suite.Bytes_that_were_read_stay_as_they_were_read))]
    public static BrokenPromise Reads_into_the_same_memory_again()
    {
        var buffers = new ConcurrentDictionary<SubKey, byte[]>();
        return new()
        {
            Read = (store, read) => ReadAsync(store, read, part =>
            {
                var buffer = buffers.GetOrAdd(part.SubKey, _ => new byte[100_000]);
                part.Value.CopyTo(buffer);
                return part with { Value = buffer.AsMemory(0, part.Value.Length) };
            }),
        };
    }

    private static string WithoutControls(string text) => string.Concat(text.Select(c => char.IsControl(c) ? ' ' : c));

    private static BrokenPromise WithKeys(Func<string, string> change)
    {
        return new()
        {
            Write = (store, write, parts) => store.WriteAsync(write with { Key = Change(write.Key) }, parts),
            Read = (store, read) => store.ReadAsync(read with { Key = Change(read.Key) }),
        };

        PartitionKey Change(PartitionKey key) => change(key.Text) is { Length: > 0 } text ? new PartitionKey(text) : key;
    }

    private static BrokenPromise WithParts(Func<PartWrite, PartWrite> change) => new()
    {
        Write = (store, write, parts) => store.WriteAsync(write, [.. parts.Select(part => part.IsDeleted ? part : change(part))]),
    };

    private static async Task<ReadOutcome> ReadAsync(BrokenPartition store, KeyRead read, Func<StoredPart, StoredPart> change) =>
        await store.ReadAsync(read) is { Exists: true } found
            ? ReadOutcome.Found(found.Version, [.. found.Parts.Select(change)])
            : await store.ReadAsync(read);
}
