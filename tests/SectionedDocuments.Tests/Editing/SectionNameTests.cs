using Authors.Sections;

namespace SectionedDocuments.Tests.Editing;

public sealed class SectionNameTests
{
    [Theory]
    [InlineData(null, null)]
    [InlineData("V", null)]
    [InlineData(null, "V")]
    [InlineData(null, "1")]
    [InlineData(null, "01")]
    [InlineData("z", null)]
    [InlineData("zz", null)]
    [InlineData("V", "V1")]
    [InlineData("V", "V01")]
    [InlineData("V", "W")]
    [InlineData("Vzz", "W")]
    [InlineData("A", "a")]
    public void There_is_always_a_name_between_two(string? left, string? right)
    {
        var name = SectionName.Between(left, right);
        Assert.True(left is null || string.CompareOrdinal(left, name) < 0, name);
        Assert.True(right is null || string.CompareOrdinal(name, right) < 0, name);
        Assert.NotEqual('0', name[^1]);
    }

    [Fact]
    public void Any_sequence_of_insertions_keeps_the_names_in_order()
    {
        var random = new Random(7);
        var names = new List<string>();
        for (var i = 0; i < 2_000; i++)
        {
            var at = random.Next(4) switch { 0 => 0, 1 => names.Count, 2 => names.Count / 2, _ => random.Next(names.Count + 1) };
            names.Insert(at, SectionName.Between(at > 0 ? names[at - 1] : null, at < names.Count ? names[at] : null));
        }

        Assert.Equal(names.Distinct().Order(StringComparer.Ordinal), names);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(61)]
    [InlineData(62)]
    [InlineData(5_000)]
    public void Spread_names_are_short_distinct_and_in_order(int count)
    {
        var names = SectionName.Spread(count).ToList();
        Assert.Equal(count, names.Count);
        Assert.Equal(names.Distinct().Order(StringComparer.Ordinal), names);
        Assert.All(names, name => Assert.InRange(name.Length, 1, 3));
    }
}
