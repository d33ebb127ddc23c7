using System.Collections.Frozen;
using System.Collections.Immutable;
using System.ComponentModel;
using Stout.Diagnostics;
using Stout.Tests;

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

    [Theory]
    [InlineData(typeof(Open), "Open is Open, which is not sealed")]
    [InlineData(typeof(Settable), "Settable.X can be set; use init or readonly")]
    [InlineData(typeof(HiddenField), "HiddenField._calls can be set; use init or readonly")]
    [InlineData(typeof(HoldsList), "HoldsList.Numbers is List<Int32>; use ImmutableList<Int32>")]
    [InlineData(typeof(HoldsInterface), "HoldsInterface.Numbers is IReadOnlyList<Int32>; use ImmutableList<Int32>")]
    [InlineData(typeof(HoldsArray), "HoldsArray.Bytes is Byte[]; use ImmutableArray<Byte>")]
    [InlineData(typeof(HoldsDictionary), "HoldsDictionary.Map is IReadOnlyDictionary<String, Int32>; use ImmutableDictionary<String, Int32>")]
    [InlineData(typeof(HoldsSet), "HoldsSet.Names is HashSet<String>; use ImmutableHashSet<String>")]
    [InlineData(typeof(IImmutableList<string>), "IImmutableList<String> is IImmutableList<String>; use ImmutableList<String>")]
    [InlineData(typeof(HoldsDelegate), "HoldsDelegate.Action is Action, which is a delegate")]
    [InlineData(typeof(ImmutableList<Settable>), "ImmutableList<Settable>[].X can be set; use init or readonly")]
    [InlineData(typeof(Deep), "Deep.Inner.Numbers is List<Int32>; use ImmutableList<Int32>")]
    [InlineData(typeof(Point), "")]
    public void Mutable_member_is_named_with_the_remedy(Type type, string obstacle) => Assert.Equal(obstacle, ImmutableTypes.ObstacleOf(type));

    [Fact]
    public void Every_remedy_is_immutable_and_comes_back_from_json()
    {
        var value = new Remedies([1], [2], ImmutableDictionary<string, int>.Empty.Add("a", 3), ["b"]);
        Assert.True(ImmutableTypes.Contains(typeof(Remedies)));
        var serializer = new JsonPartSerializer<Remedies>();
        var copy = serializer.Deserialize(serializer.Serialize(value));
        Assert.Equal((1, 2, 3, "b"), (copy.List[0], copy.Array[0], copy.Map["a"], copy.Set.Single()));
    }

    [Theory]
    [InlineData(RoundTripCheck.OncePerShape, 1)]
    [InlineData(RoundTripCheck.Never, 0)]
    public async Task Mutable_type_is_logged_once_in_development(RoundTripCheck check, int times)
    {
        var log = new RecordingLog();
        var options = Fixture.Options with { RoundTripCheck = check, Stout = Fixture.Options.Stout with { Diagnostics = new StoutDiagnostics { LoggerFactory = log } } };
        await using var documents = await Fixture.OpenAsync(new ControlledStore(), options);
        documents.GetCollection<HoldsInterface>("a");
        documents.GetCollection<HoldsInterface>("b");
        documents.GetCollection<Point>("c");
        documents.GetCollection<string>("d");
        documents.GetCollection("e", new JsonPartSerializer<Settable>(valuesAreImmutable: false)); // Decided by the caller.
        Assert.Equal(times, log.Of(StoutLogEvents.MutableType).Count());
        Assert.All(log.Of(StoutLogEvents.MutableType), static entry => Assert.EndsWith("HoldsInterface.Numbers is IReadOnlyList<Int32>; use ImmutableList<Int32>", entry.Text, StringComparison.Ordinal));
    }

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

    private sealed record HoldsArray(byte[] Bytes);

    private sealed record HoldsDictionary(IReadOnlyDictionary<string, int> Map);

    private sealed record HoldsSet(HashSet<string> Names);

    private sealed record Deep(int X, HoldsList Inner);

    private sealed record Remedies(ImmutableList<int> List, ImmutableArray<int> Array, ImmutableDictionary<string, int> Map, ImmutableHashSet<string> Set);

    private sealed record HoldsStructOfArray(ArraySegment<int> Numbers);

    private sealed record HoldsDelegate(Action Action);
}
