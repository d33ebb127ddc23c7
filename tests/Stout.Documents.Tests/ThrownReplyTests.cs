using System.Text;
using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>An exception is a reply: the caller gets it after the state that it may reveal is durable, and never if that state fails.</summary>
public sealed class ThrownReplyTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    /// <summary>The ways in which a call can see an undurable value "0" and leave by an exception.</summary>
    public enum Way
    {
        ReadThrows,
        UpdateThrows,
        ChangeThrows,
        ChangeThrowsAfterItHasStagedParts,
        GetCannotDeserialize,
        ReadCannotDeserialize,
        UpdateCannotSerialize,
        ChangeTooLargeForWhatItSaw,
        ChangeOfTooManyBytesForWhatItSaw,
        FunctionIsCancelled,
    }

    public static TheoryData<Way> Ways => [.. Enum.GetValues<Way>()];

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Exception_waits_until_what_it_saw_is_durable(Way way)
    {
        var store = new ControlledStore(Fixture.Limits());
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection("notes", new Serializer(way));
        using var hold = store.HoldWrites("/a");
        var change = notes.PutAsync("a", "0");
        await hold.Arrived;
        var call = Call(notes, way, Token);
        await notes.PutAsync("b", "other");
        Assert.False(call.IsCompleted);
        hold.Release();
        await change;
        var error = await Assert.ThrowsAnyAsync<Exception>(() => call);
        Assert.IsNotType<NotAppliedException>(error);
        Assert.Equal(Expected(way), error.GetType());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Exception_gives_way_to_the_failure_of_what_it_saw(Way way)
    {
        var store = new ControlledStore(Fixture.Limits());
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection("notes", new Serializer(way));
        using var hold = store.HoldWrites("/a");
        var change = notes.PutAsync("a", "0");
        await hold.Arrived;
        var call = Call(notes, way, Token);
        store.Answer = _ => new WriteOutcome(WriteOutcomeKind.Refused, Error: new StoreException(StoreErrorKind.Full, "full"));
        hold.Release();
        await Assert.ThrowsAsync<NotAppliedException>(() => change);
        var error = await Assert.ThrowsAsync<NotAppliedException>(() => call);
        Assert.Equal(NotAppliedReason.StoreRefused, error.Reason);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Cancelling_while_an_exception_waits_gives_the_tokens_exception(Way way)
    {
        var store = new ControlledStore(Fixture.Limits());
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection("notes", new Serializer(way));
        using var cancellation = new CancellationTokenSource();
        using var hold = store.HoldWrites("/a");
        var change = notes.PutAsync("a", "0");
        await hold.Arrived;
        var call = Call(notes, way, cancellation.Token);
        await notes.PutAsync("b", "other");
        Assert.False(call.IsCompleted);
        await cancellation.CancelAsync();
        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        Assert.Equal(cancellation.Token, error.CancellationToken);
        hold.Release();
        await change;
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Exception_of_a_durable_object_leaves_at_once(Way way)
    {
        var store = new ControlledStore(Fixture.Limits());
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection("notes", new Serializer(way));
        await notes.PutAsync("a", "0");
        var call = Call(notes, way, Token);
        Assert.True(call.IsCompleted);
        Assert.Equal(Expected(way), (await Assert.ThrowsAnyAsync<Exception>(() => call)).GetType());
    }

    [Fact]
    public async Task Exception_keeps_the_functions_stack_trace()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        var error = await Assert.ThrowsAsync<FormatException>(() => notes.UpdateAsync("a", ThrowHere, Token).AsTask());
        Assert.Contains(nameof(ThrowHere), error.StackTrace);

        static string? ThrowHere(string? value) => throw new FormatException("refused");
    }

    private static Type Expected(Way way) => way switch
    {
        Way.ReadThrows or Way.UpdateThrows or Way.ChangeThrows or Way.ChangeThrowsAfterItHasStagedParts => typeof(ArithmeticException),
        Way.GetCannotDeserialize or Way.ReadCannotDeserialize or Way.UpdateCannotSerialize => typeof(PartSerializationException),
        Way.ChangeTooLargeForWhatItSaw or Way.ChangeOfTooManyBytesForWhatItSaw => typeof(ChangeTooLargeException),
        _ => typeof(OperationCanceledException),
    };

    private static Task Call(DocumentCollection<string> notes, Way way, CancellationToken token) => way switch
    {
        Way.ReadThrows => notes.ReadAsync<int>("a", view => throw Refused(view), token).AsTask(),
        Way.UpdateThrows => notes.UpdateAsync("a", value => throw new ArithmeticException("refused: balance " + value), token).AsTask(),
        Way.ChangeThrows => notes.ChangeAsync<int>("a", editor => throw Refused(editor), token).AsTask(),
        Way.ChangeThrowsAfterItHasStagedParts => notes.ChangeAsync<int>(
            "a",
            editor =>
            {
                editor.Set("x", "1");
                editor.Remove("");
                throw new ArithmeticException("refused");
            },
            token).AsTask(),
        Way.GetCannotDeserialize => notes.GetAsync("a", token).AsTask(),
        Way.ReadCannotDeserialize => notes.ReadAsync("a", view => view[""], token).AsTask(),
        Way.UpdateCannotSerialize => notes.ChangeAsync<int>(
            "a",
            editor =>
            {
                editor.Set("x", Serializer.Refused + editor.SizeOf(""));
                return 0;
            },
            token).AsTask(),
        Way.ChangeTooLargeForWhatItSaw => notes.ChangeAsync<int>(
            "a",
            editor =>
            {
                editor.Set("x", new string('x', 101 * editor.SizeOf("")!.Value));
                return 0;
            },
            token).AsTask(),
        Way.ChangeOfTooManyBytesForWhatItSaw => notes.ChangeAsync(
            "a",
            editor =>
            {
                for (var i = 0; i < 3 * editor.SizeOf(""); i++)
                    editor.Set("x" + i, new string('x', 90));
                return 0;
            },
            token).AsTask(),
        _ => notes.ReadAsync<int>("a", view => throw new OperationCanceledException("refused: size " + view.SizeOf("")), token).AsTask(),
    };

    private static ArithmeticException Refused(DocumentView<string> view) => new("refused: size " + view.SizeOf(""));

    /// <summary>
    /// Serializes all values but those that begin with <see cref="Refused"/>. Deserializes all bytes, unless the test is about bytes that can't be read.
    /// </summary>
    private sealed class Serializer(Way way) : IPartSerializer<string>
    {
        public const string Refused = "refused";

        public bool ValuesAreImmutable => false;

        public ReadOnlyMemory<byte> Serialize(string value) =>
            value.StartsWith(Refused, StringComparison.Ordinal) ? throw new FormatException(value) : Encoding.UTF8.GetBytes(value);

        public string Deserialize(ReadOnlyMemory<byte> bytes) =>
            way is Way.GetCannotDeserialize or Way.ReadCannotDeserialize ? throw new FormatException() : Encoding.UTF8.GetString(bytes.Span);
    }
}
