using System.Globalization;
using Microsoft.Extensions.Time.Testing;
using Stout.Storage;

namespace Stout.Documents.Tests.Expiry;

/// <summary>One process with a collection of texts that expire: "text|12" does so at <see cref="Start"/> + 12 s, and "text" never.</summary>
internal sealed class Expiring : IAsyncDisposable
{
    public static readonly DateTimeOffset Start = new(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public static readonly CollectionOptions<string> Options = new() { ExpiresAt = ExpiryOf, SweepInterval = null };

    private Expiring(DocumentStore documents, WallClock clock, CollectionOptions<string> options)
    {
        Documents = documents;
        Clock = clock;
        Notes = documents.GetCollection("notes", options);
    }

    public DocumentStore Documents { get; }

    public WallClock Clock { get; }

    public DocumentCollection<string> Notes { get; }

    /// <summary>Opens the store. The timers stand still, unless the test passes <paramref name="timers"/> and moves them.</summary>
    public static async Task<Expiring> OpenAsync(IStorageProxy store, CollectionOptions<string>? options = null, TimeProvider? timers = null, DocumentStoreOptions? of = null)
    {
        var clock = new WallClock(timers ?? new FakeTimeProvider(Start));
        return new(await Fixture.OpenAsync(store, of, clock), clock, options ?? Options);
    }

    /// <summary>Sets the wall clock ahead of the timers' clock, which begins at <see cref="Start"/>, by <paramref name="seconds"/>.</summary>
    public void At(double seconds) => Clock.Offset = Seconds(seconds);

    /// <summary>Deletes the objects that had expired <paramref name="until"/> seconds after <see cref="Start"/>.</summary>
    public Task SweepAsync(double until) => Notes.SweepAsync(Start + Seconds(until), TestContext.Current.CancellationToken).AsTask();

    public ValueTask DisposeAsync() => Documents.DisposeAsync();

    private static TimeSpan Seconds(double seconds) => TimeSpan.FromSeconds(seconds);

    private static DateTimeOffset? ExpiryOf(string text) =>
        text.IndexOf('|', StringComparison.Ordinal) is var bar and >= 0 ? Start + Seconds(double.Parse(text.AsSpan(bar + 1), CultureInfo.InvariantCulture)) : null;
}
