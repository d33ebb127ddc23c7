using Stout.Storage;
using Suite = Stout.Testing.StorageProxySpecification;

namespace Stout.Testing.Tests.Broken;

/// <summary>Proxies that confuse keys above 256 bytes with others.</summary>
internal static partial class BrokenProxies
{
    [CaughtBy(
        nameof(Suite.Long_keys_stay_different_keys),
        nameof(Suite.Long_and_short_keys_share_batches),
        nameof(Suite.Claims_of_long_and_short_keys_share_a_batch),
        nameof(Suite.Collection_has_long_ids))]
    public static BrokenPromise Names_rows_by_the_prefix_alone() => WithKeys(text =>
        LongKeys.IsLong(new PartitionKey(text)) ? LongKeys.RowKeyOf(new PartitionKey(text))[..^64].TrimEnd('~') : text);

    [CaughtBy(nameof(Suite.Listing_has_long_keys_whole_by_any_prefix))]
    public static BrokenPromise Lists_row_keys() => new()
    {
        List = async (store, listing) => await store.ListAsync(listing) is var page
            ? page with { Keys = [.. page.Keys.Select(static key => new PartitionKey(LongKeys.RowKeyOf(key)))] }
            : page,
    };

    [CaughtBy(nameof(Suite.Listing_has_long_keys_whole_by_any_prefix), nameof(Suite.Listing_beside_writes_has_the_long_keys_that_were_there_all_the_time))]
    public static BrokenPromise Lists_a_long_key_twice() => new()
    {
        List = async (store, listing) => await store.ListAsync(listing) is var page
            ? page with { Keys = [.. page.Keys, .. page.Keys.Where(LongKeys.IsLong)] }
            : page,
    };

    [CaughtBy(nameof(Suite.Long_key_has_values_as_large_as_a_short_one))]
    public static BrokenPromise Cuts_the_values_of_long_keys() => new()
    {
        Write = (store, write, parts) => store.WriteAsync(
            write, [.. parts.Select(part => LongKeys.IsLong(write.Key) && part.Value.Length > 10_000 ? part with { Value = part.Value[..10_000] } : part)]),
    };

    [CaughtBy(nameof(Suite.Long_keys_are_claimed_confirmed_and_reset))]
    public static BrokenPromise Ignores_the_owner_of_a_long_key() => new()
    {
        Write = async (store, write, parts) =>
            await store.WriteAsync(LongKeys.IsLong(write.Key) ? write with { Owner = (await store.PeekAsync(write.Key)).Owner } : write, parts),
    };

    [CaughtBy(nameof(Suite.Headers_of_long_keys_are_swept_as_others_are))]
    public static BrokenPromise Forgets_the_epochs_of_long_keys() => new() { RaisesNoFloor = true };

    [CaughtBy(nameof(Suite.Long_key_whose_header_keeps_another_key_fails_alone_and_changes_nothing))]
    public static BrokenPromise Compares_no_keys() => new() { ComparesNoKeys = true };

    [CaughtBy(nameof(Suite.Claim_of_a_long_key_whose_header_keeps_another_key_leaves_the_owner))]
    public static BrokenPromise Claims_before_it_compares_keys() => new() { ClaimsBeforeItCompares = true };
}
