using System.Collections.Concurrent;
using Stout.Storage;
using Suite = Stout.Testing.StorageProxySpecification;

namespace Stout.Testing.Tests.Broken;

/// <summary>Proxies that do not check owners, epochs and claims strictly enough.</summary>
internal static partial class BrokenProxies
{
    [CaughtBy(
        nameof(Suite.Claim_changes_the_owner_alone_and_fences_the_old_one),
        nameof(Suite.Write_names_the_owner_and_leaves_it),
        nameof(Suite.Older_of_two_owners_at_once_is_refused_and_hides_nothing_from_the_newer),
        nameof(Suite.Older_of_two_owners_is_refused_whatever_their_clocks_say),
        nameof(Suite.Older_of_two_owners_is_refused_after_its_header_was_swept),
        nameof(Suite.Random_operations_of_two_writers_end_as_a_dictionary_would_end_them))]
    public static BrokenPromise Ignores_the_owner() => new()
    {
        Write = async (store, write, parts) => await store.WriteAsync(write with { Owner = (await store.PeekAsync(write.Key)).Owner }, parts),
    };

    [CaughtBy(
        nameof(Suite.Epochs_are_above_a_raised_floor_for_new_keys_and_for_owned_ones),
        nameof(Suite.Floor_never_falls),
        nameof(Suite.Raised_floor_survives_closing_and_opening_again))]
    public static BrokenPromise Ignores_a_raised_floor() => new() { RaisesNoEpochs = true };

    [CaughtBy(nameof(Suite.Write_names_the_owner_and_leaves_it))]
    public static BrokenPromise Compares_the_epoch_alone() => new()
    {
        Write = async (store, write, parts) => await store.PeekAsync(write.Key) is var stored && stored.Owner.Epoch == write.Owner.Epoch
            ? await store.WriteAsync(write with { Owner = stored.Owner }, parts)
            : await store.WriteAsync(write, parts),
    };

    [CaughtBy(nameof(Suite.Claim_changes_the_owner_alone_and_fences_the_old_one))]
    public static BrokenPromise Reports_a_fenced_write_as_a_conflict() => new()
    {
        Write = async (store, write, parts) =>
            await store.WriteAsync(write, parts) is { Kind: not WriteOutcomeKind.Fenced } outcome ? outcome : new WriteOutcome(WriteOutcomeKind.Conflict),
    };

    [CaughtBy(nameof(Suite.Write_of_a_former_owner_is_fenced_even_with_the_token_of_the_present_one))]
    public static BrokenPromise Takes_the_owner_from_the_token() => new()
    {
        Read = async (store, read) => await store.ReadAsync(read) switch
        {
            { Kind: not ReadOutcomeKind.Read } failed => failed,
            { Exists: true } found => ReadOutcome.Found(found.Version, found.Parts, found.Header, found.Owner),
            var absent => ReadOutcome.NotFound(absent.Version, absent.Header, absent.Owner),
        },
        Write = (store, write, parts) => store.WriteAsync(write.ExpectedToken is KeyHeader token ? write with { Owner = token.Owner } : write, parts),
    };

    [CaughtBy(nameof(Suite.Write_that_was_done_is_committed_also_under_a_later_owner))]
    public static BrokenPromise Compares_the_owner_before_the_version() => new()
    {
        Write = async (store, write, parts) => await store.PeekAsync(write.Key) is var stored && stored.Owner != write.Owner
            ? WriteOutcome.FencedBy(stored.Owner)
            : await store.WriteAsync(write, parts),
    };

    [CaughtBy(
        nameof(Suite.Claim_changes_the_owner_alone_and_fences_the_old_one),
        nameof(Suite.Claim_beside_the_old_owners_writes_shows_the_last_that_was_committed))]
    public static BrokenPromise Claims_without_writing_it_down() => new()
    {
        Read = async (store, read) =>
        {
            var stored = await store.PeekAsync(read.Key);
            if (read.Claim is not { } claim || ClaimRule.Judge(stored.Header, claim, 0) is not { } owner)
                return await store.ReadAsync(read);
            return stored.Exists ? ReadOutcome.Found(stored.Version, stored.Parts, owner: owner) : ReadOutcome.NotFound(stored.Version, owner: owner);
        },
    };

    [CaughtBy(nameof(Suite.Absent_key_is_claimed_and_stays_absent))]
    public static BrokenPromise Does_not_claim_what_is_absent() => new()
    {
        Read = async (store, read) => await store.PeekAsync(read.Key) is { Exists: false } and var absent && absent.Header == default
            ? absent
            : await store.ReadAsync(read),
    };

    [CaughtBy(nameof(Suite.Deleted_key_is_claimed_and_fences_its_old_owner))]
    public static BrokenPromise Does_not_claim_what_is_deleted() => new()
    {
        Read = async (store, read) => await store.PeekAsync(read.Key) is { Exists: false, Version.IsAbsent: false } deleted ? deleted : await store.ReadAsync(read),
    };

    [CaughtBy(nameof(Suite.Claim_that_is_repeated_has_the_same_epoch_again))]
    public static BrokenPromise Claims_anew_when_a_claim_is_repeated() => new()
    {
        Read = (store, read) => store.ReadAsync(read.Claim is { OnlyIf: null } claim && claim.Id != Guid.Empty ? read with { Claim = claim with { Id = Guid.NewGuid() } } : read),
    };

    [CaughtBy(nameof(Suite.Claim_gets_at_least_the_epoch_that_it_asks_for_and_a_larger_one_than_any_before))]
    public static BrokenPromise Gives_the_next_epoch_whatever_was_asked_for() => new()
    {
        Read = (store, read) => store.ReadAsync(read.Claim is { } claim ? read with { Claim = claim with { AtLeastEpoch = 0 } } : read),
    };

    [CaughtBy(nameof(Suite.Claim_that_names_a_header_is_fenced_by_any_other_and_changes_nothing_then))]
    public static BrokenPromise Claims_whatever_header_the_claim_names() => new()
    {
        Read = (store, read) => store.ReadAsync(read.Claim is { } claim ? read with { Claim = claim with { OnlyIf = null } } : read),
    };

    [CaughtBy(nameof(Suite.Peek_and_header_show_the_owner_and_change_nothing))]
    public static BrokenPromise Claims_what_it_should_only_look_at() => new()
    {
        Read = (store, read) => store.ReadAsync(read.Kind == KeyReadKind.Header ? new KeyRead(read.Key, KeyReadKind.Claim, new KeyClaim(Guid.NewGuid())) : read),
    };

    [CaughtBy(nameof(Suite.Without_claims_the_older_of_two_owners_is_found_to_hide_writes_from_the_newer))]
    public static BrokenPromise Claims_with_every_read() => new()
    {
        Read = (store, read) => store.ReadAsync(read.Kind == KeyReadKind.Peek ? new KeyRead(read.Key, KeyReadKind.Claim, new KeyClaim(Guid.NewGuid())) : read),
    };

    [CaughtBy(nameof(Suite.Reset_lets_writers_without_a_claim_write_again_and_fences_the_owner))]
    public static BrokenPromise Takes_a_reset_for_a_look() => new()
    {
        Read = (store, read) => store.ReadAsync(read.Claim?.Id == Guid.Empty ? new KeyRead(read.Key) : read),
    };

    [CaughtBy(nameof(Suite.Claim_beside_the_old_owners_writes_shows_the_last_that_was_committed))]
    public static BrokenPromise Reads_and_then_claims()
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
                var before = await store.PeekAsync(read.Key);
                await writes.WaitForOthersAsync();
                var after = await store.ReadAsync(read);
                return read.Claim is not null && after.Exists ? ReadOutcome.Found(after.Version, before.Parts, owner: after.Owner) : after;
            },
        };
    }

    [CaughtBy(nameof(Suite.Of_owners_that_claim_at_once_each_has_its_own_epoch_and_the_last_one_writes))]
    public static BrokenPromise Compares_and_claims_in_two_steps()
    {
        var compared = new Counter();
        return new()
        {
            Read = async (store, read) =>
            {
                if (read.Claim is not { } claim)
                    return await store.ReadAsync(read);
                var stored = await store.PeekAsync(read.Key);
                compared.Add();
                await compared.WaitForOthersAsync();
                await store.ReadAsync(read);
                var owner = ClaimRule.Judge(stored.Header, claim, 0)!.Value;
                return stored.Exists ? ReadOutcome.Found(stored.Version, stored.Parts, owner: owner) : ReadOutcome.NotFound(stored.Version, owner: owner);
            },
        };
    }

    [CaughtBy(nameof(Suite.Claim_survives_closing_and_opening_again))]
    public static BrokenPromise Keeps_no_claim_after_closing()
    {
        var claims = new ConcurrentDictionary<PartitionKey, KeyOwner>();
        return new()
        {
            Opened = claims.Clear,
            Write = async (store, write, parts) => claims.GetValueOrDefault(write.Key) == write.Owner
                ? await store.WriteAsync(write with { Owner = KeyOwner.None }, parts)
                : WriteOutcome.FencedBy(claims.GetValueOrDefault(write.Key)),
            Read = async (store, read) =>
            {
                var stored = await store.PeekAsync(read.Key);
                var owner = claims.GetValueOrDefault(read.Key);
                if (read.Claim is { } claim)
                    claims[read.Key] = owner = ClaimRule.Judge(new KeyHeader(stored.Version, owner), claim, 0)!.Value;
                return stored.Exists ? ReadOutcome.Found(stored.Version, stored.Parts, owner: owner) : ReadOutcome.NotFound(stored.Version, owner: owner);
            },
        };
    }

    [CaughtBy(nameof(Suite.Batches_of_claims_in_any_order_all_end))]
    public static BrokenPromise Ends_in_a_deadlock_when_claims_come_in_another_order() => new()
    {
        AfterReads = batch =>
        {
            for (var i = 1; i < batch.Count && batch[i].Kind == KeyReadKind.Claim; i++)
            {
                if (string.CompareOrdinal(batch[i - 1].Key.Text, batch[i].Key.Text) > 0)
                    batch.SetOutcome(i, ReadOutcome.Of(new StoreException(StoreErrorKind.Unknown, "A deadlock.")));
            }
        },
    };

    [CaughtBy(nameof(Suite.Owner_whose_header_was_swept_is_fenced_and_the_next_epoch_is_larger))]
    public static BrokenPromise Begins_epochs_again_after_a_sweep() => new() { RaisesNoFloor = true };

    [CaughtBy(nameof(Suite.Claim_of_a_key_without_an_object_keeps_its_header_for_the_whole_retention))]
    public static BrokenPromise Sweeps_by_the_time_of_the_deletion_alone() => new() { ClaimsKeepNoHeader = true };
}
