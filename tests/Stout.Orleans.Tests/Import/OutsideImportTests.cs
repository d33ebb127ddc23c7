using Orleans.Storage;
using Stout.Orleans.Import;
using Stout.Orleans.Tests.Grains;
using static Stout.Orleans.Tests.Import.ImportCluster;

namespace Stout.Orleans.Tests.Import;

/// <summary>Imports by code outside the grains.</summary>
public sealed class OutsideImportTests(ImportCluster cluster) : IClassFixture<ImportCluster>
{
    public static TheoryData<string> Storages => [Importing, Unfenced, Unclaimed];

    [Theory, MemberData(nameof(Storages))]
    public async Task A_state_is_imported_once_and_without_an_activation(string storage)
    {
        var (grain, other) = (NewGrain(), NewGrain());
        await cluster.WriteFormerAsync(grain, 7);
        Assert.True(await cluster[storage].ImportAsync<TestState>(Name, grain, TestContext.Current.CancellationToken));
        Assert.False(await cluster[storage].ImportAsync<TestState>(Name, grain, TestContext.Current.CancellationToken));
        Assert.False(await cluster[storage].ImportAsync<TestState>(Name, other, TestContext.Current.CancellationToken));
        Assert.Equal(7, (await cluster.ReadAsync(storage, grain)).State!.Number);
        Assert.Equal(storage != Unfenced, cluster.Former[Name, grain]!.Contains(FormerStorage.Fence, StringComparison.Ordinal));
    }

    [Fact]
    public async Task An_import_of_a_state_that_an_activation_has_leaves_it_that_state()
    {
        var grain = cluster.Client.GetGrain<ICounterGrain>(Guid.NewGuid().ToString("N"));
        await cluster.WriteFormerAsync(grain.GetGrainId(), 7);
        Assert.Equal(8, await grain.AddAsync(1));
        Assert.False(await cluster[Importing].ImportAsync<TestState>(Name, grain.GetGrainId(), TestContext.Current.CancellationToken));
        Assert.Equal(8, (await cluster.ReadAsync(Importing, grain.GetGrainId())).State!.Number);
        Assert.Equal(9, await grain.AddAsync(1));
    }

    /// <summary>The record of the former storage is absent, so there is nothing to import and no need for a claim.</summary>
    [Fact]
    public async Task An_import_without_a_record_leaves_an_activation_that_has_written_nothing_its_state()
    {
        var grain = cluster.Client.GetGrain<ICounterGrain>(Guid.NewGuid().ToString("N"));
        Assert.Equal(0, await grain.ReadAsync());
        Assert.False(await cluster[Importing].ImportAsync<TestState>(Name, grain.GetGrainId(), TestContext.Current.CancellationToken));
        Assert.False((await cluster.ReadAsync(Importing, grain.GetGrainId())).RecordExists);
        Assert.Equal(1, await grain.AddAsync(1));
    }

    [Fact]
    public async Task An_import_leaves_a_facet_with_parts_as_it_is()
    {
        var cart = cluster.Client.GetGrain<ICartGrain>(Guid.NewGuid().ToString("N"), typeof(CartGrain).FullName);
        await cart.AddAsync("apple");
        await cart.SetPartAsync("address", "here");
        Assert.False(await cluster[Importing].ImportAsync<Cart>("cart", cart.GetGrainId(), TestContext.Current.CancellationToken));
        Assert.Equal(2, await cart.AddAsync("pear"));
    }

    [Fact]
    public async Task An_import_that_was_cut_off_is_finished_by_the_next_one()
    {
        var grain = NewGrain();
        await cluster.WriteFormerAsync(grain, 7);
        cluster.Former.BeforeWrite[grain] = static () => throw new IOException("cut");
        await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster[Importing].ImportAsync<TestState>(Name, grain, TestContext.Current.CancellationToken));
        cluster.Former.BeforeWrite.Clear();
        Assert.True(await cluster[Importing].ImportAsync<TestState>(Name, grain, TestContext.Current.CancellationToken));
        Assert.Equal(7, (await cluster.ReadAsync(WithoutImport, grain)).State!.Number);
    }

    [Fact]
    public async Task A_storage_that_imports_nothing_is_named()
    {
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => cluster[WithoutImport].ImportAsync<TestState>(Name, NewGrain(), TestContext.Current.CancellationToken));
        Assert.Equal("The Stout grain storage 'plain' imports nothing: its option ImportFrom is not set.", error.Message);
        await Assert.ThrowsAsync<ArgumentException>(() => cluster.Former.ImportAsync<TestState>(Name, NewGrain(), TestContext.Current.CancellationToken));
    }
}
