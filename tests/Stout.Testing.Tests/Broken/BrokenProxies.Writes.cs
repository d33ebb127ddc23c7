using System.Collections.Concurrent;
using Stout.Storage;
using Suite = Stout.Testing.StorageProxySpecification;

namespace Stout.Testing.Tests.Broken;

/// <summary>Proxies that carry out a write as another kind of write, or not at all.</summary>
internal static partial class BrokenProxies
{
    [CaughtBy(nameof(Suite.What_is_committed_is_read_back_with_its_stamp), nameof(Suite.Random_operations_of_two_writers_end_as_a_dictionary_would_end_them))]
    public static BrokenPromise Commits_nothing() => new() { Write = (_, _, _) => Task.FromResult(new WriteOutcome(WriteOutcomeKind.Committed)) };

    [CaughtBy(nameof(Suite.Merge_changes_the_named_parts_alone))]
    public static BrokenPromise Merges_by_replacing() => WithWrites(write => write.Kind == KeyWriteKind.Merge ? write with { Kind = KeyWriteKind.Replace } : write);

    [CaughtBy(nameof(Suite.Replace_leaves_the_named_parts_alone))]
    public static BrokenPromise Replaces_by_merging() => WithWrites(write => write.Kind == KeyWriteKind.Replace ? write with { Kind = KeyWriteKind.Merge } : write);

    [CaughtBy(nameof(Suite.Deleted_key_is_not_there_and_has_the_stamp_of_its_deletion))]
    public static BrokenPromise Deletes_by_emptying() => WithWrites(write => write.Kind == KeyWriteKind.Delete ? write with { Kind = KeyWriteKind.Replace } : write);

    [CaughtBy(nameof(Suite.Merge_can_change_or_remove_the_object_itself_and_leave_its_parts))]
    public static BrokenPromise Begins_anew_when_the_object_itself_changes() => new()
    {
        Write = (store, write, parts) => store.WriteAsync(
            write.Kind == KeyWriteKind.Merge && parts.Any(part => part.SubKey.IsRoot) ? write with { Kind = KeyWriteKind.Replace } : write, parts),
    };

    [CaughtBy(nameof(Suite.Merge_that_names_no_part_changes_the_stamp_alone))]
    public static BrokenPromise Skips_a_write_without_parts() => new()
    {
        Write = async (store, write, parts) => write.Kind == KeyWriteKind.Merge && parts.Length == 0
            ? new WriteOutcome(WriteOutcomeKind.Committed)
            : await store.WriteAsync(write, parts),
    };

    [CaughtBy(nameof(Suite.Object_whose_last_part_is_removed_still_exists))]
    public static BrokenPromise Takes_an_object_without_parts_for_deleted() => new()
    {
        Read = async (store, read) => await store.ReadAsync(read) is { Exists: true, Parts.Count: 0 } empty
            ? ReadOutcome.NotFound(empty.Version)
            : await store.ReadAsync(read),
    };

    [CaughtBy(nameof(Suite.Key_that_never_was_written_is_absent))]
    public static BrokenPromise Takes_an_absent_key_for_an_empty_object() => new()
    {
        Read = async (store, read) => await store.ReadAsync(read) is { Exists: false } absent ? ReadOutcome.Found(absent.Version, []) : await store.ReadAsync(read),
    };

    [CaughtBy(nameof(Suite.Key_that_comes_back_after_its_deletion_has_no_part_of_its_earlier_life))]
    public static BrokenPromise Forgets_deletions_when_the_key_comes_back()
    {
        var earlier = new ConcurrentDictionary<PartitionKey, PartWrite[]>();
        return new()
        {
            Write = async (store, write, parts) =>
            {
                var before = await store.PeekAsync(write.Key);
                if (write.Kind == KeyWriteKind.Delete)
                    earlier[write.Key] = [.. before.Parts.Select(part => new PartWrite(part.SubKey, IsDeleted: false, part.Value))];
                var remains = before.Exists ? [] : earlier.GetValueOrDefault(write.Key, []);
                return await store.WriteAsync(write, [.. remains, .. parts]);
            },
        };
    }

    [CaughtBy(nameof(Suite.Deleted_header_is_kept_as_long_as_the_limits_say))]
    public static BrokenPromise Sweeps_a_deleted_header_at_the_next_write_of_another_key()
    {
        var last = default(PartitionKey);
        return new()
        {
            Write = (store, write, parts) =>
            {
                last = write.Key;
                return store.WriteAsync(write, parts);
            },
            Read = async (store, read) => await store.ReadAsync(read) is { Exists: false } && last != read.Key
                ? ReadOutcome.NotFound(Stamp.Absent)
                : await store.ReadAsync(read),
        };
    }

    [CaughtBy(nameof(Suite.Read_beside_writes_shows_header_and_parts_as_of_one_stamp))]
    public static BrokenPromise Reads_the_header_and_then_the_parts()
    {
        var writes = new Counter();
        return new()
        {
            Write = async (store, write, parts) =>
            {
                var outcome = await store.WriteAsync(write, parts);
                writes.Add();
                return outcome;
            },
            Read = async (store, read) =>
            {
                var header = await store.ReadAsync(read);
                await writes.WaitForOthersAsync();
                return header.Exists ? ReadOutcome.Found(header.Version, (await store.PeekAsync(read.Key)).Parts) : header;
            },
        };
    }

    [CaughtBy(nameof(Suite.Largest_value_is_kept_and_one_byte_more_is_refused_without_a_trace))]
    public static BrokenPromise Commits_the_parts_of_a_refused_change_that_fit() => new()
    {
        Limits = Small,
        Write = async (store, write, parts) =>
        {
            if (Fits(parts))
                return await store.WriteAsync(write, parts);
            await store.WriteAsync(write, [.. parts.Where(part => part.Value.Length <= 1_000)]);
            return TooLarge;
        },
    };

    [CaughtBy(nameof(Suite.Reads_and_writes_of_many_callers_all_end_with_their_own_answers))]
    public static BrokenPromise Mixes_up_the_answers_of_its_callers()
    {
        var previous = ReadOutcome.NotFound(Stamp.Absent);
        return new()
        {
            Read = async (store, read) =>
            {
                var (mine, other) = (await store.ReadAsync(read), previous);
                previous = mine;
                return other.Exists ? other : mine;
            },
        };
    }

    private static BrokenPromise WithWrites(Func<KeyWrite, KeyWrite> change) => new() { Write = (store, write, parts) => store.WriteAsync(change(write), parts) };
}
