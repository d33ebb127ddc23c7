namespace Stout.Orleans.Tests.Grains;

/// <summary>A cart whose parts are in a state of their own.</summary>
public sealed class BothCartsGrain([StoutState("other")] IStoutState<Cart> other, [StoutState("cart")] IStoutState<Cart> cart) : CartGrain(cart)
{
    public override Task SetPartAsync(string part, string item)
    {
        other.Set(new Cart { Items = [item] }, part);
        return Task.CompletedTask;
    }
}
