namespace Stout.Orleans.Tests.Grains;

/// <summary>A cart that adds an item when it is deactivated.</summary>
public sealed class SavingCartGrain([StoutState("cart")] IStoutState<Cart> cart) : CartGrain(cart)
{
    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken) => AddAsync("last");
}
