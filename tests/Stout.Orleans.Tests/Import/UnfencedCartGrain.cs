using Stout.Orleans.Tests.Grains;

namespace Stout.Orleans.Tests.Import;

/// <summary>A cart grain whose import does not overwrite (fence) its record in the former storage.</summary>
public sealed class UnfencedCartGrain([StoutState("cart", ImportCluster.Unfenced)] IStoutState<Cart> cart) : CartGrain(cart);
