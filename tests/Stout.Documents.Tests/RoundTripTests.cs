using System.Text.Json.Serialization;

namespace Stout.Documents.Tests;

/// <summary>With <see cref="RoundTripCheck"/> in the options, a change fails if its value differs from the value that is deserialized from its bytes.</summary>
public sealed class RoundTripTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<string> Lossy => ["interface", "constructor", "derived", "nested derived", "field", "read-only", "object"];

    [Theory]
    [MemberData(nameof(Lossy))]
    public async Task Type_that_does_not_come_back_fails_the_change_and_stores_nothing(string what)
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store, Fixture.Options with { RoundTripCheck = RoundTripCheck.OncePerShape });
        var error = await Assert.ThrowsAsync<PartSerializationException>(() => what switch
        {
            "interface" => Put(new OfInterface(new Name("a"))),
            "constructor" => Put(new OfConstructor("a")),
            "derived" => Put<Shape>(new Circle(1, 2)),
            "nested derived" => Put(new Drawing([new Shape(1), new Circle(1, 2)])),
            "field" => Put(new OfTuple((1, 2))),
            "read-only" => Put(ReadOnly.Of("a")),
            _ => Put(new OfObject(1)),
        });
        Assert.False(error.IsStored);
        Assert.Empty(store.Writes);

        Task Put<T>(T value)
            where T : class => documents.GetCollection("values", new JsonPartSerializer<T>(valuesAreImmutable: true)).UpdateAsync("a", _ => value, Token).AsTask();
    }

    [Fact]
    public async Task Type_that_comes_back_passes_with_whatever_collections_it_holds()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore(), Fixture.Options with { RoundTripCheck = RoundTripCheck.Always });
        var values = documents.GetCollection("values", new JsonPartSerializer<Rich>(valuesAreImmutable: true));
        var value = new Rich(["a", "b"], new Dictionary<string, Shape> { ["one"] = new(1) }, null, 0.1, DateTimeOffset.UnixEpoch, [1, 2], DayOfWeek.Friday, new Figure.Square(3));
        Assert.Same(value, await values.UpdateAsync("a", _ => value, Token));
        Assert.NotNull(await values.UpdateAsync("a", old => old! with { Note = "more", Names = [] }, Token));
    }

    [Fact]
    public async Task Each_shape_is_checked_once_and_a_new_one_again()
    {
        var serializer = new Counting();
        await using var documents = await Fixture.OpenAsync(new ControlledStore(), Fixture.Options with { RoundTripCheck = RoundTripCheck.OncePerShape });
        var values = documents.GetCollection("values", new JsonPartSerializer<Drawing>(valuesAreImmutable: true));
        await values.UpdateAsync("a", _ => new Drawing([new Shape(1)]), Token);
        await values.UpdateAsync("a", _ => new Drawing([new Shape(2), new Shape(3)]), Token);
        await Assert.ThrowsAsync<PartSerializationException>(() => values.UpdateAsync("a", _ => new Drawing([new Circle(2, 3)]), Token).AsTask());
        await Assert.ThrowsAsync<PartSerializationException>(() => values.UpdateAsync("b", _ => new Drawing([new Circle(2, 3)]), Token).AsTask());

        var counted = documents.GetCollection("counted", serializer);
        for (var i = 0; i < 5; i++)
            await counted.UpdateAsync("a", _ => new Name("name " + i), Token);
        Assert.Equal(1, serializer.Deserialized);
    }

    [Theory]
    [InlineData(RoundTripCheck.Always, true)]
    [InlineData(RoundTripCheck.Never, false)]
    public async Task Lone_surrogate_is_found_where_every_value_is_checked(RoundTripCheck check, bool isFound)
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore(), Fixture.Options with { RoundTripCheck = check });
        var names = documents.GetCollection("values", new JsonPartSerializer<Name>(valuesAreImmutable: true));
        await names.UpdateAsync("a", _ => new Name("whole \U0001F600"), Token);
        var error = await Record.ExceptionAsync(() => names.UpdateAsync("a", _ => new Name("half \uD83D"), Token).AsTask());
        Assert.Equal(isFound, error is PartSerializationException);
        if (isFound)
            Assert.EndsWith("$.Text.", error!.InnerException!.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Generated_contracts_are_checked_as_well(int what)
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore(), Fixture.Options with { RoundTripCheck = RoundTripCheck.Always });
        var drawings = documents.GetCollection("values", new JsonPartSerializer<Drawing>(Generated.Default.Drawing, valuesAreImmutable: true));
        Shape shape = what == 0 ? new Shape(1) : new Circle(1, 2);
        var error = await Record.ExceptionAsync(() => drawings.UpdateAsync("a", _ => new Drawing(what == 2 ? new[] { shape } : [shape]), Token).AsTask());
        Assert.Equal(what != 0, error is PartSerializationException);
    }

    private sealed class Counting : IPartSerializer<Name>
    {
        public int Deserialized { get; private set; }

        public bool ValuesAreImmutable => true;

        public ReadOnlyMemory<byte> Serialize(Name value) => System.Text.Encoding.UTF8.GetBytes(value.Text);

        public Name Deserialize(ReadOnlyMemory<byte> bytes)
        {
            Deserialized++;
            return new Name("whatever");
        }
    }
}

internal interface IName
{
    string Text { get; }
}

internal sealed record Name(string Text) : IName;

internal sealed record OfInterface(IName Name);

internal sealed class OfConstructor(string title)
{
    public string Name { get; } = title;
}

internal record Shape(int X);

internal sealed record Circle(int X, int Radius) : Shape(X);

internal sealed record Drawing(IReadOnlyList<Shape> Shapes);

internal sealed record OfTuple((int, int) Pair);

internal sealed class ReadOnly
{
    public string? Text { get; private set; }

    public static ReadOnly Of(string text) => new() { Text = text };
}

internal sealed record OfObject(object Value);

[JsonDerivedType(typeof(Square), "square")]
internal abstract record Figure
{
    internal sealed record Square(int Side) : Figure;
}

internal sealed record Rich(
    IReadOnlyList<string> Names, IReadOnlyDictionary<string, Shape> Shapes, string? Note, double Share, DateTimeOffset At, byte[] Bytes, DayOfWeek Day, Figure Figure);

[JsonSerializable(typeof(Drawing))]
internal sealed partial class Generated : JsonSerializerContext;
