using Stout.Orleans.Tests.Grains;

namespace Stout.Orleans.Tests.Import;

/// <summary>A cart in a storage without claims. The facet claims its key all the same.</summary>
public sealed class UnclaimedCartGrain([StoutState("cart", ImportCluster.Unclaimed)] IStoutState<Cart> cart) : CartGrain(cart);
