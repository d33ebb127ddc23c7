using Stout.Orleans.Storage;

namespace Stout.Orleans.Tests;

/// <summary>States have keys that tell them apart and that a person can read.</summary>
public sealed class KeyTests
{
    [Fact]
    public void A_key_names_service_state_grain_type_and_grain() =>
        Assert.Equal("shop/cart/shoppingcart/user/7", StateKeys.Of("shop", "cart", GrainId.Create("shoppingcart", "user/7")).Text);

    [Fact]
    public void Different_states_have_different_keys()
    {
        string[] texts = ["", "a", "b", "a/b", "a%2Fb", "/", "%"];
        var keys = from service in texts
                   from state in texts
                   from type in texts.Where(type => type.Length > 0)
                   from grain in texts.Where(grain => grain.Length > 0)
                   select StateKeys.Of(service, state, GrainId.Create(type, grain));
        Assert.Equal(texts.Length * texts.Length * (texts.Length - 1) * (texts.Length - 1), keys.Distinct().Count());
    }

    [Fact]
    public void A_key_that_is_too_long_is_refused_by_its_length()
    {
        var longest = new string('k', PartitionKey.MaxBytes - "s/n/t/".Length);
        Assert.Equal("s/n/t/" + longest, StateKeys.Of("s", "n", GrainId.Create("t", longest)).Text);
        Assert.Equal(InvalidKeyReason.TooLong, Assert.Throws<InvalidKeyException>(() => StateKeys.Of("s", "n", GrainId.Create("t", longest + "k"))).Reason);
    }
}
