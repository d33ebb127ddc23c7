using Stout.Storage;

namespace Stout.Tests.Keys;

/// <summary>Stored bytes are the same under every culture.</summary>
public sealed class CultureTests
{
    [Theory]
    [MemberData(nameof(Cultures.Names), MemberType = typeof(Cultures))]
    public Task Keys_slots_and_stamps_mean_the_same(string culture)
    {
        var stamp = new Stamp(-1, Guid.Parse("01234567-89ab-cdef-0123-456789abcdef"), long.MinValue);
        var (hex, slot) = (stamp.ToHex(), Slots.Of(new PartitionKey("İıiI ß")));
        return Cultures.UnderAsync(culture, () =>
        {
            Assert.Equal((hex, slot), (stamp.ToHex(), Slots.Of(new PartitionKey("İıiI ß"))));
            Assert.NotEqual(new PartitionKey("i"), new PartitionKey("I"));
            Assert.NotEqual(new PartitionKey("ß"), new PartitionKey("ss"));
            Assert.True(new SubKey("Z") < new SubKey("a"));
            Assert.True(LocalHost.Is("LOCALHOST"));
            return Task.CompletedTask;
        });
    }
}
