using Driver;
using Orleans.Storage;
using Stout.Orleans.Import;
using Stout.Orleans.Tests.Grains;

namespace Stout.Orleans.Tests.Import;

/// <summary>Imports of the states of grains, with Orleans' persistent state and with the facet.</summary>
public sealed class GrainImportTests(ImportCluster cluster) : IClassFixture<ImportCluster>
{
    public static TheoryData<Type> Carts => [typeof(CartGrain), typeof(UnfencedCartGrain), typeof(UnclaimedCartGrain)];

    [Fact]
    public async Task A_grain_goes_on_from_its_record()
    {
        var grain = cluster.Client.GetGrain<ICounterGrain>(Guid.NewGuid().ToString("N"));
        await cluster.WriteFormerAsync(grain.GetGrainId(), 7);
        Assert.Equal(8, await grain.AddAsync(1));
        await cluster.DeactivateAsync(grain);
        Assert.Equal(8, await grain.ReadAsync());
        await grain.ClearAsync();
        await cluster.DeactivateAsync(grain);
        Assert.Equal(0, await grain.ReadAsync());
    }

    [Fact]
    public async Task A_grain_whose_record_cannot_be_read_is_not_activated_and_its_caller_is_told()
    {
        var grain = cluster.Client.GetGrain<ICounterGrain>(Guid.NewGuid().ToString("N"));
        var id = grain.GetGrainId();
        await cluster.WriteFormerAsync(id, 7);
        cluster.Former.BeforeRead[id] = static () => throw new DriverException("The server is away.");
        var error = await Assert.ThrowsAsync<GrainStateNotReadException>(() => grain.AddAsync(1));
        Assert.Equal($"The state 'counter' of the grain {id} could not be imported from the grain storage 'former'. The server is away.", error.Message);
        Assert.Equal("The server is away.", error.InnerException?.Message);
        cluster.Former.BeforeRead.Clear();
        Assert.Equal(8, await grain.AddAsync(1));
    }

    [Theory, MemberData(nameof(Carts))]
    public async Task A_facet_goes_on_from_a_record_and_what_it_clears_does_not_come_back(Type grainClass)
    {
        var cart = await CartAsync(grainClass);
        Assert.Equal(2, await cart.AddAsync("new"));
        await cart.SetPartAsync("address", "here");
        await cluster.DeactivateAsync(cart);
        Assert.Equal(["old", "new"], await cart.ItemsAsync());
        Assert.Equal([new("address", "here")], await cart.PartsAsync());

        await cart.ClearAsync();
        await cluster.DeactivateAsync(cart);
        Assert.Empty(await cart.ItemsAsync());
        Assert.Equal(1, await cart.AddAsync("again"));
        await cart.ClearAsync();
        Assert.Equal(1, await cart.AddAsync("at once"));
        await cluster.DeactivateAsync(cart);
        Assert.Equal(["at once"], await cart.ItemsAsync());
        Assert.Empty(await cart.PartsAsync());
    }

    [Theory, MemberData(nameof(Carts))]
    public async Task What_a_facet_removes_does_not_come_back(Type grainClass)
    {
        var cart = await CartAsync(grainClass);
        Assert.True(await cart.RemovePartAsync(""));
        await cluster.DeactivateAsync(cart);
        Assert.Empty(await cart.ItemsAsync());
    }

    [Fact]
    public async Task A_facet_finishes_a_copy_that_was_begun()
    {
        var cart = await CartAsync(typeof(CartGrain), static (former, id) => former.BeforeWrite[id] = static () => throw new IOException("cut"));
        var error = await Assert.ThrowsAsync<GrainStateNotReadException>(cart.ItemsAsync);
        Assert.EndsWith("could not be imported from the grain storage 'former'. cut", error.Message, StringComparison.Ordinal);
        cluster.Former.BeforeWrite.Clear();
        Assert.Equal(["old"], await cart.ItemsAsync());
        Assert.Contains(FormerStorage.Fence, cluster.Former["cart", cart.GetGrainId()], StringComparison.Ordinal);
    }

    private async Task<ICartGrain> CartAsync(Type grainClass, Action<FormerTable, GrainId>? arrange = null)
    {
        var cart = cluster.Client.GetGrain<ICartGrain>(Guid.NewGuid().ToString("N"), grainClass.FullName);
        await cluster.Former.WriteStateAsync("cart", cart.GetGrainId(), new GrainState<Cart>(new Cart { Items = ["old"] }));
        arrange?.Invoke(cluster.Former, cart.GetGrainId());
        return cart;
    }
}
