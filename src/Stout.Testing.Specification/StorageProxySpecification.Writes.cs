using static Stout.Testing.StoreClient;

using Stout.Storage;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary>A committed write is read back with its parts and its stamp.</summary>
    [Fact]
    public async Task What_is_committed_is_read_back_with_its_stamp()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "self"), Part("a", "1"), Part("b", "2")]);

        var read = await store.ReadAsync("key");

        Assert.Equal(stamp, read.Version);
        Assert.Equal("=self a=1 b=2", Show(read));
    }

    /// <summary>Tests <see cref="StorageCapabilities.Durable"/>, as far as a test within one process can.</summary>
    [Fact]
    public async Task What_is_committed_survives_closing_and_opening_again()
    {
        var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.Durable, nameof(StorageCapabilities.Durable));
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "self"), Part("a", "1")]);

        store = await ReopenAsync(store);

        var read = await store.ReadAsync("key");
        Assert.Equal((stamp, "=self a=1"), (read.Version, Show(read)));
        await store.DisposeAsync();
    }

    /// <summary><see cref="KeyWriteKind.Merge"/> keeps the parts that the write does not name.</summary>
    [Fact]
    public async Task Merge_changes_the_named_parts_alone()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "self"), Part("a", "1"), Part("b", "2"), Part("c", "3")]);

        await store.PutAsync("key", stamp, parts: [Part("a", "one"), NoPart("b"), Part("d", "4")]);

        Assert.Equal("=self a=one c=3 d=4", Show(await store.ReadAsync("key")));
    }

    /// <summary>The object's own value, whose sub-key is empty, is changed and removed as other parts are.</summary>
    [Fact]
    public async Task Merge_can_change_or_remove_the_object_itself_and_leave_its_parts()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "self"), Part("a", "1")]);
        stamp = await store.PutAsync("key", stamp, parts: [Part("", "other")]);
        Assert.Equal("=other a=1", Show(await store.ReadAsync("key")));

        await store.PutAsync("key", stamp, parts: [NoPart("")]);

        Assert.Equal("a=1", Show(await store.ReadAsync("key")));
    }

    /// <summary>A write without parts changes the stamp and creates the object.</summary>
    [Fact]
    public async Task Merge_that_names_no_part_changes_the_stamp_alone()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);

        var next = await store.PutAsync("key", stamp);

        var read = await store.ReadAsync("key");
        Assert.Equal((next, "a=1"), (read.Version, Show(read)));
    }

    /// <summary>An object without parts exists until it is deleted.</summary>
    [Fact]
    public async Task Object_whose_last_part_is_removed_still_exists()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);

        await store.PutAsync("key", stamp, parts: [NoPart("a")]);

        var read = await store.ReadAsync("key");
        Assert.True(read.Exists);
        Assert.Empty(read.Parts);
    }

    /// <summary><see cref="KeyWriteKind.Replace"/> removes the parts that the write does not name.</summary>
    [Fact]
    public async Task Replace_leaves_the_named_parts_alone()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "self"), Part("a", "1"), Part("b", "2")]);

        await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: [Part("b", "two"), Part("c", "3")]);

        Assert.Equal("b=two c=3", Show(await store.ReadAsync("key")));
    }

    /// <summary><see cref="KeyWriteKind.Delete"/> removes the object and keeps its header, with the stamp of the deletion.</summary>
    [Fact]
    public async Task Deleted_key_is_not_there_and_has_the_stamp_of_its_deletion()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "self"), Part("a", "1")]);

        var deleted = await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        var read = await store.ReadAsync("key");
        Assert.Equal((deleted, "(none)"), (read.Version, Show(read)));
    }

    /// <summary>Rows of an earlier generation do not belong to the key.</summary>
    [Fact]
    public async Task Key_that_comes_back_after_its_deletion_has_no_part_of_its_earlier_life()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "self"), Part("a", "1"), Part("b", "2")]);
        stamp = await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        await store.PutAsync("key", stamp, parts: [Part("b", "new")]);

        Assert.Equal("b=new", Show(await store.ReadAsync("key")));
    }

    /// <summary>The header of a deleted key stays, so a late creation of the key conflicts.</summary>
    [Fact]
    public async Task Key_that_never_was_can_be_deleted_and_then_is_not_absent_for_a_late_creator()
    {
        await using var store = await OpenAsync();
        var late = store.NewWrite("key", Stamp.Absent);

        await store.PutAsync("key", Stamp.Absent, KeyWriteKind.Delete);

        Assert.Equal(WriteOutcomeKind.Conflict, (await store.WriteAsync(late, Part("", "late"))).Kind);
    }

    /// <summary>A part with a value of 0 bytes exists.</summary>
    [Fact]
    public async Task Value_of_no_bytes_is_a_value()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", ""), Part("a", "")]);
        Assert.Equal("= a=", Show(await store.ReadAsync("key")));

        await store.PutAsync("key", stamp, parts: [Part("", "x"), Part("a", "x")]);

        Assert.Equal("=x a=x", Show(await store.ReadAsync("key")));
    }

    /// <summary>The header of a deleted key stays for <see cref="StorageLimits.DeletedHeaderRetention"/>, so that a late write conflicts.</summary>
    [Fact]
    public async Task Deleted_header_is_kept_as_long_as_the_limits_say()
    {
        await using var store = await OpenAsync();
        var retention = store.Proxy.Limits.DeletedHeaderRetention ?? TimeSpan.FromDays(10_000);
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        var late = store.NewWrite("key", stamp);
        var deleted = await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        Time.Advance(retention - TimeSpan.FromSeconds(1));
        await store.PutAsync("other", Stamp.Absent);

        Assert.Equal(deleted, (await store.ReadAsync("key")).Version);
        Assert.Equal(WriteOutcomeKind.Conflict, (await store.WriteAsync(late, Part("a", "late"))).Kind);
    }
}
