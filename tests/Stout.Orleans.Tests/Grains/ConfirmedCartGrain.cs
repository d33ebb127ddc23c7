namespace Stout.Orleans.Tests.Grains;

/// <summary>A cart whose replies wait until the store has confirmed the ownership.</summary>
public sealed class ConfirmedCartGrain([StoutState("cart", ConfirmReads = true)] IStoutState<Cart> cart) : CartGrain(cart);
