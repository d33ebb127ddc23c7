using Stout.Orleans.Tests.Grains;

namespace Stout.Orleans.Tests.Import;

/// <summary>A cart whose record in the former storage stays as it is.</summary>
public sealed class UnfencedCartGrain([StoutState("cart", ImportCluster.Unfenced)] IStoutState<Cart> cart) : CartGrain(cart);
