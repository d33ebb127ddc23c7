using System.Collections.Frozen;
using System.Collections.Immutable;
using System.ComponentModel;

namespace Stout.Documents.Tests;

/// <summary>The types whose values are kept and shared even if the caller does not promise that they are immutable.</summary>
public sealed class ImmutableTypesTests
{
    [Theory]
    [InlineData(typeof(string))]
    [InlineData(typeof(Version))]
    [InlineData(typeof(Point))]
    [InlineData(typeof(Nested))]
    [InlineData(typeof(Tree))]
    [InlineData(typeof(Derived))]
    [InlineData(typeof(Declared))]
    [InlineData(typeof(Times))]
    [InlineData(typeof(ImmutableList<string>))]
    [InlineData(typeof(FrozenDictionary<string, ImmutableArray<Point>>))]
    public void Immutable_types_are_found(Type type) => Assert.True(ImmutableTypes.Contains(type));

    [Theory]
    [InlineData(typeof(object))]
    [InlineData(typeof(int[]))]
    [InlineData(typeof(List<string>))]
    [InlineData(typeof(Open))]
    [InlineData(typeof(Settable))]
    [InlineData(typeof(HiddenField))]
    [InlineData(typeof(DerivedOfMutable))]
    [InlineData(typeof(HoldsList))]
    [InlineData(typeof(HoldsInterface))]
    [InlineData(typeof(HoldsStructOfArray))]
    [InlineData(typeof(HoldsDelegate))]
    [InlineData(typeof(DeclaredMutable))]
    [InlineData(typeof(ImmutableList<Settable>))]
    [InlineData(typeof(ImmutableList<string>.Builder))]
    [InlineData(typeof(IImmutableList<string>))]
    public void Other_types_are_not(Type type) => Assert.False(ImmutableTypes.Contains(type));

    [Fact]
    public async Task Value_of_an_immutable_type_is_kept_and_another_is_made_anew()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var token = TestContext.Current.CancellationToken;
        var points = documents.GetCollection<Point>("points");
        var lists = documents.GetCollection<List<int>>("lists");
        await points.SetAsync("a", new Point(1, 2), token);
        await lists.SetAsync("a", [1], token);
        Assert.Same(await points.GetAsync("a", token), await points.GetAsync("a", token));
        Assert.NotSame(await lists.GetAsync("a", token), await lists.GetAsync("a", token));
    }

    [Fact]
    public void Callers_word_counts_more()
    {
        Assert.True(new JsonPartSerializer<Settable>(valuesAreImmutable: true).ValuesAreImmutable);
        Assert.False(new JsonPartSerializer<Point>(valuesAreImmutable: false).ValuesAreImmutable);
        Assert.True(new JsonPartSerializer<Point>().ValuesAreImmutable);
    }

    private sealed record Point(int X, int Y);

    private sealed record Nested(Point Point, ImmutableArray<Point> More, string? Name);

    private sealed record Tree(Tree? Left, Tree? Right, decimal Value);

    private abstract record Base(Guid Id);

    private sealed record Derived(Guid Id, DayOfWeek Day) : Base(Id);

    private sealed record Times(DateTimeOffset At, TimeSpan? For, DateOnly Day);

    [ImmutableObject(true)]
    public class Declared
    {
        public List<int> Numbers { get; } = [];
    }

    [ImmutableObject(false)]
    private sealed record DeclaredMutable(int X);

    public record Open(int X);

    private sealed record Settable
    {
        public int X { get; set; }
    }

    private sealed record HiddenField(int X)
    {
        private int _calls;

        public int Calls() => ++_calls;
    }

    private class MutableBase
    {
        private int _x;

        public int Next() => ++_x;
    }

    private sealed class DerivedOfMutable : MutableBase;

    private sealed record HoldsList(List<int> Numbers);

    private sealed record HoldsInterface(IReadOnlyList<int> Numbers);

    private sealed record HoldsStructOfArray(ArraySegment<int> Numbers);

    private sealed record HoldsDelegate(Action Action);
}
