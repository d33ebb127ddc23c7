using Stout.Storage;
using Suite = Stout.Testing.StorageProxySpecification;

namespace Stout.Testing.Tests.Broken;

/// <summary>Proxies that do not check stamps, epochs and tokens strictly enough.</summary>
internal static partial class BrokenProxies
{
    [CaughtBy(
        nameof(Suite.Write_that_expects_another_stamp_conflicts_and_changes_nothing),
        nameof(Suite.Requests_that_come_twice_and_in_any_order_end_as_their_stamps_say),
        nameof(Suite.Random_operations_of_two_writers_end_as_a_dictionary_would_end_them))]
    public static BrokenPromise Ignores_the_expected_stamp() => new()
    {
        Write = async (store, write, parts) => await store.WriteAsync(write with { Expected = (await store.PeekAsync(write.Key)).Version }, parts),
    };

    [CaughtBy(nameof(Suite.Write_that_expects_another_stamp_conflicts_and_changes_nothing), nameof(Suite.Batch_that_is_sent_again_is_answered_anew))]
    public static BrokenPromise Reports_a_conflict_as_committed() => new()
    {
        Write = async (store, write, parts) =>
            await store.WriteAsync(write, parts) is { Kind: not WriteOutcomeKind.Conflict } outcome ? outcome : new WriteOutcome(WriteOutcomeKind.Committed),
    };

    [CaughtBy(
        nameof(Suite.Write_that_is_repeated_is_committed_and_changes_nothing),
        nameof(Suite.Deletion_that_is_repeated_is_committed),
        nameof(Suite.Write_that_is_sent_twice_at_once_is_committed_twice))]
    public static BrokenPromise Reports_the_repetition_of_a_write_as_a_conflict() => new()
    {
        Write = async (store, write, parts) => (await store.PeekAsync(write.Key)).Version == write.Next
            ? new WriteOutcome(WriteOutcomeKind.Conflict)
            : await store.WriteAsync(write, parts),
    };

    [CaughtBy(nameof(Suite.Write_that_expects_a_key_which_is_absent_conflicts_and_makes_none))]
    public static BrokenPromise Inserts_what_it_should_update() => new()
    {
        Write = async (store, write, parts) => (await store.PeekAsync(write.Key)).Version.IsAbsent
            ? await store.WriteAsync(write with { Expected = Stamp.Absent }, parts)
            : await store.WriteAsync(write, parts),
    };

    [CaughtBy(nameof(Suite.Late_repetition_of_an_overtaken_write_changes_nothing))]
    public static BrokenPromise Remembers_what_it_committed_and_not_what_it_holds()
    {
        var committed = new HashSet<Stamp>();
        return new()
        {
            Write = async (store, write, parts) =>
            {
                var outcome = await store.WriteAsync(write, parts);
                return outcome.Kind == WriteOutcomeKind.Committed && committed.Add(write.Next) || committed.Contains(write.Next)
                    ? new WriteOutcome(WriteOutcomeKind.Committed)
                    : outcome;
            },
        };
    }

    [CaughtBy(nameof(Suite.Of_two_writers_that_expect_the_same_stamp_one_commits))]
    public static BrokenPromise Compares_and_writes_in_two_steps()
    {
        var compared = new Counter();
        return new()
        {
            Write = async (store, write, parts) =>
            {
                var stored = (await store.PeekAsync(write.Key)).Version;
                compared.Add();
                if (stored != write.Expected)
                    return await store.WriteAsync(write, parts);
                await compared.WaitForOthersAsync();
                return await store.WriteAsync(write with { Expected = (await store.PeekAsync(write.Key)).Version }, parts);
            },
        };
    }

    [CaughtBy(nameof(Suite.Key_that_never_was_can_be_deleted_and_then_is_not_absent_for_a_late_creator))]
    public static BrokenPromise Takes_a_deleted_key_for_an_absent_one() => new()
    {
        Write = async (store, write, parts) =>
            await store.PeekAsync(write.Key) is { Exists: false } stored && write.Expected.IsAbsent
                ? await store.WriteAsync(write with { Expected = stored.Version }, parts)
                : await store.WriteAsync(write, parts),
    };

    [CaughtBy(nameof(Suite.Token_that_came_with_a_stamp_is_good_for_the_next_write_whether_written_or_read))]
    public static BrokenPromise Gives_another_token_to_readers_than_to_writers() => new()
    {
        Write = async (store, write, parts) =>
        {
            if (!write.Expected.IsAbsent && !Equals(write.ExpectedToken, write.Expected))
                return new WriteOutcome(WriteOutcomeKind.Conflict);
            return await store.WriteAsync(write, parts) with { Token = write.Next };
        },
        Read = async (store, read) => await store.ReadAsync(read) is { Exists: true } found
            ? ReadOutcome.Found(found.Version, found.Parts, token: "the reader's")
            : await store.ReadAsync(read),
    };
}
