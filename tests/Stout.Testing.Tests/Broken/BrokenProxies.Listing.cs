using Stout.Storage;
using Suite = Stout.Testing.StorageProxySpecification;

namespace Stout.Testing.Tests.Broken;

/// <summary>Proxies that list in a wrong way.</summary>
internal static partial class BrokenProxies
{
    [CaughtBy(nameof(Suite.Listing_has_each_object_that_exists_once_by_any_prefix))]
    public static BrokenPromise Lists_whatever_begins_otherwise_too() => new() { List = (store, listing) => store.ListAsync(listing with { Prefix = "" }) };

    [CaughtBy(nameof(Suite.Listing_has_each_object_that_exists_once_by_any_prefix))]
    public static BrokenPromise Lists_one_page_alone() => new() { List = async (store, listing) => await store.ListAsync(listing) with { Continuation = null } };

    [CaughtBy(nameof(Suite.Listing_has_each_object_that_exists_once_by_any_prefix))]
    public static BrokenPromise Lists_deleted_objects() => new()
    {
        List = async (store, listing) =>
        {
            var page = await store.ListAsync(listing);
            var read = await store.PeekAsync(new PartitionKey("b"));
            return !read.Version.IsAbsent && listing.Prefix == "b" && page.Keys.Count < listing.MostKeys ? page with { Keys = [.. page.Keys, new PartitionKey("b")] } : page;
        },
    };

    [CaughtBy(nameof(Suite.Listing_beside_writes_has_what_was_there_all_the_time))]
    public static BrokenPromise Continues_by_the_number_of_keys() => new()
    {
        List = async (store, listing) =>
        {
            var from = listing.Continuation is { } number ? int.Parse(number, System.Globalization.CultureInfo.InvariantCulture) : 0;
            var all = (await store.ListAsync(new KeyListing(listing.Prefix, int.MaxValue))).Keys;
            var next = from + listing.MostKeys;
            return new KeyPage([.. all.Skip(from).Take(listing.MostKeys)], next < all.Count ? $"{next}" : null);
        },
    };

    [CaughtBy(
        nameof(Suite.Listing_while_others_write_has_each_lasting_key_once_and_no_key_deleted_before_it_began),
        nameof(Suite.Listing_of_a_collection_while_others_write_has_each_lasting_id_once_and_no_id_deleted_before_it_began))]
    public static BrokenPromise Lists_a_key_twice() => new()
    {
        List = async (store, listing) => await store.ListAsync(listing) is { Keys: [var first, ..] } page ? page with { Keys = [.. page.Keys, first] } : new KeyPage([], null),
    };
}
