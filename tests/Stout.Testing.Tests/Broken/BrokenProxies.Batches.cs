using System.Collections.Concurrent;
using Stout.Storage;
using Suite = Stout.Testing.StorageProxySpecification;

namespace Stout.Testing.Tests.Broken;

/// <summary>Proxies that handle batches, limits, errors or durability wrongly.</summary>
internal static partial class BrokenProxies
{
    private static readonly WriteOutcome TooLarge = new(
        WriteOutcomeKind.Refused, Error: new StoreException(StoreErrorKind.Refused, "The change is too large."));

    [CaughtBy(nameof(Suite.Keys_that_fail_do_not_stop_the_others_of_their_batch))]
    public static BrokenPromise Fails_the_batch_with_its_first_conflict() => FailingAll(WriteOutcomeKind.Conflict);

    [CaughtBy(nameof(Suite.Key_that_is_too_large_does_not_stop_the_others_of_its_batch))]
    public static BrokenPromise Fails_the_batch_with_its_first_key_that_is_too_large() => FailingAll(WriteOutcomeKind.Refused);

    [CaughtBy(nameof(Suite.Key_that_something_holds_is_busy_and_its_neighbors_are_committed))]
    public static BrokenPromise Holds_the_batch_up_with_its_first_busy_key() => FailingAll(WriteOutcomeKind.Busy);

    [CaughtBy(nameof(Suite.Key_that_the_store_refuses_fails_alone))]
    public static BrokenPromise Fails_the_batch_with_its_first_refused_key() => FailingAll(WriteOutcomeKind.Refused);

    [CaughtBy(nameof(Suite.Claim_of_a_key_that_something_holds_does_not_stop_the_others))]
    public static BrokenPromise Holds_the_reads_up_with_their_first_busy_key() => FailingAllReads(ReadOutcomeKind.Busy);

    [CaughtBy(nameof(Suite.Key_that_can_not_be_decoded_fails_alone))]
    public static BrokenPromise Fails_the_reads_with_their_first_damaged_key() => FailingAllReads(ReadOutcomeKind.Refused);

    [CaughtBy(nameof(Suite.Batch_of_reads_answers_each_key_by_itself))]
    public static BrokenPromise Answers_reads_in_the_order_of_the_store() => new()
    {
        AfterReads = batch =>
        {
            var outcomes = Enumerable.Range(0, batch.Count).Select(batch.OutcomeOf).Reverse().ToList();
            for (var i = 0; i < batch.Count; i++)
                batch.SetOutcome(i, outcomes[i]);
        },
    };

    [CaughtBy(nameof(Suite.Batch_that_is_sent_again_is_answered_anew))]
    public static BrokenPromise Skips_what_has_an_outcome_of_an_earlier_sending() => new()
    {
        Sends = (batch, index) => batch.OutcomeOf(index).Kind == WriteOutcomeKind.Unknown,
    };

    [CaughtBy(nameof(Suite.Batch_of_the_most_keys_is_answered_whole))]
    public static BrokenPromise Takes_less_keys_than_it_says() => new() { Sends = (_, index) => index < 999 };

    [CaughtBy(nameof(Suite.Batch_of_an_atomic_store_is_seen_as_a_whole))]
    public static BrokenPromise Says_that_its_batches_are_atomic()
    {
        var reads = new Counter();
        return new()
        {
            Capabilities = capabilities => capabilities with { AtomicBatches = true },
            Write = async (store, write, parts) =>
            {
                var outcome = await store.WriteAsync(write, parts);
                await reads.WaitForOthersAsync();
                return outcome;
            },
            Read = async (store, read) =>
            {
                var outcome = await store.ReadAsync(read);
                reads.Add();
                return outcome;
            },
        };
    }

    [CaughtBy(nameof(Suite.Limits_fit_into_one_another))]
    public static BrokenPromise Takes_larger_values_than_batches() => new() { Limits = limits => limits with { MaxBatchBytes = limits.MaxChangeSetBytes - 1 } };

    [CaughtBy(
        nameof(Suite.Largest_value_is_kept_and_one_byte_more_is_refused_without_a_trace),
        nameof(Suite.Change_of_the_most_parts_is_one_write_and_one_part_more_is_refused),
        nameof(Suite.Change_of_the_most_bytes_is_one_write_and_one_byte_more_is_refused))]
    public static BrokenPromise Takes_more_than_it_says() => new() { Limits = Small };

    [CaughtBy(nameof(Suite.Trouble_of_the_store_is_reported_as_what_it_is))]
    public static BrokenPromise Takes_every_trouble_for_an_unknown_outcome() => new() { ReportsTroubleAs = StoreErrorKind.Unknown };

    [CaughtBy(nameof(Suite.Trouble_of_the_store_is_reported_as_what_it_is))]
    public static BrokenPromise Takes_an_unknown_outcome_for_overload() => new() { ReportsTroubleAs = StoreErrorKind.Overloaded };

    [CaughtBy(nameof(Suite.Write_that_is_cancelled_is_never_reported_as_what_it_is_not))]
    public static BrokenPromise Says_that_a_cancelled_write_was_not_sent() => new()
    {
        ThrowsWhenCancelled = new StoreException(StoreErrorKind.Unreachable, "The call was cancelled."),
    };

    [CaughtBy(nameof(Suite.What_the_proxy_says_names_no_key_and_no_value))]
    public static BrokenPromise Names_the_key_that_conflicts() => new()
    {
        Write = async (store, write, parts) => await store.WriteAsync(write, parts) is { Kind: WriteOutcomeKind.Conflict } conflict
            ? conflict with { Error = new StoreException(StoreErrorKind.Refused, $"Someone else wrote {write.Key}.") }
            : await store.WriteAsync(write, parts),
    };

    [CaughtBy(nameof(Suite.What_is_committed_survives_closing_and_opening_again), nameof(Suite.Odd_keys_stay_different_keys))]
    public static BrokenPromise Keeps_nothing_after_closing() => new() { ForgetsAllAtClosing = true };

    [CaughtBy(nameof(Suite.Client_sees_at_once_what_another_has_committed))]
    public static BrokenPromise Reads_from_a_copy_that_lags_behind()
    {
        var copies = new ConcurrentDictionary<PartitionKey, ReadOutcome>();
        return new()
        {
            Write = async (store, write, parts) =>
            {
                copies[write.Key] = await store.PeekAsync(write.Key);
                return await store.WriteAsync(write, parts);
            },
            Read = (store, read) => copies.TryRemove(read.Key, out var copy) ? Task.FromResult(copy) : store.ReadAsync(read),
        };
    }

    private static StorageLimits Small(StorageLimits limits) =>
        limits with { MaxValueBytes = 1_000, MaxChangeSetBytes = 2_500, MaxChangeSetParts = 10 };

    private static bool Fits(PartWrite[] parts) => parts.All(part => part.Value.Length <= 1_000);

    private static BrokenPromise FailingAllReads(ReadOutcomeKind kind) => new()
    {
        AfterReads = batch =>
        {
            if (Enumerable.Range(0, batch.Count).Select(batch.OutcomeOf).FirstOrDefault(outcome => outcome.Kind == kind) is { Error: { } error })
            {
                for (var i = 0; i < batch.Count; i++)
                    batch.SetOutcome(i, ReadOutcome.Of(error));
            }
        },
    };

    private static BrokenPromise FailingAll(WriteOutcomeKind kind) => new()
    {
        Limits = Small,
        Write = async (store, write, parts) => Fits(parts) ? await store.WriteAsync(write, parts) : TooLarge,
        AfterWrites = batch =>
        {
            var failed = Enumerable.Range(0, batch.Count).Select(batch.OutcomeOf).FirstOrDefault(outcome => outcome.Kind == kind);
            for (var i = 0; i < batch.Count && failed.Kind == kind; i++)
                batch.SetOutcome(i, failed);
        },
    };
}
