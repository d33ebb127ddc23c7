using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Time.Testing;
using SectionedDocuments;
using Stout.Diagnostics;
using Stout.Hosting.Tests.Support;
using Stout.Pacing;
using Stout.PostgreSql.Diagnostics;
using Stout.Storage;
using Stout.Testing;

namespace Stout.OpenTelemetry.Tests.Dashboards;

/// <summary>The sample, run with the Prometheus exporter, with every kind of trouble that has a metric.</summary>
internal sealed class TroubledService : IAsyncDisposable
{
    // The client's own threads set its timers. So the test moves the fake clock many times, until the timer in question has fired.
    private const int MostTurns = 100_000;

    private readonly WebApplication _app;
    private readonly FaultyStore _store;
    private readonly HttpClient _http;

    private TroubledService(WebApplication app, FaultyStore store)
    {
        (_app, _store) = (app, store);
        _http = new HttpClient { BaseAddress = new Uri(app.Urls.Single()) };
    }

    public static async Task<TroubledService> StartAsync()
    {
        FaultyStore? store = null;
        var app = SectionedDocumentsApp.Create(
            [
                "--urls=http://127.0.0.1:0", "--SectionedDocuments:Prometheus=true", "--Stout:Store=InMemory",
                "--Stout:Pacing:Law=NoBatching", "--Stout:MaxDirtyKeys=1", "--Stout:OverloadBehavior=Fail",
            ],
            (_, stout) => stout.WrapStore((_, inner) => store = new FaultyStore(inner)));
        await app.StartAsync(TestContext.Current.CancellationToken);
        return new TroubledService(app, store!);
    }

    /// <summary>Causes writes, reads, refusals and overload of the typed layer.</summary>
    public async Task MakeTroubleAsync()
    {
        Assert.Equal(HttpStatusCode.NoContent, await PutAsync("refused"));
        _store.FailNext(StoreFault.Refused);
        Assert.Equal(HttpStatusCode.InternalServerError, await PutAsync("refused", "There was a king"));
        using var hold = _store.Hold(requests: HeldRequests.Writes);
        var held = PutAsync("held");
        await hold.WaitUntilHeldAsync(cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, await PutAsync("beyond"));
        hold.Release();
        Assert.Equal(HttpStatusCode.NoContent, await held);
    }

    /// <summary>Causes callbacks of the base layer that throw and hang.</summary>
    public static async Task MakeCallbackTroubleAsync()
    {
        var time = new FakeTimeProvider();
        var application = new TroubledApplication();
        var options = new StoutOptions { Pacing = PacingLaws.NoBatching() };
        await using var client = await StoutClient.OpenAsync(new InMemoryStore(), application, options, time, TestContext.Current.CancellationToken);
        var handle = await client.OpenAsAbsentAsync(new PartitionKey("key"), cancellationToken: TestContext.Current.CancellationToken);
        handle.SendMessageWhenSafe(0, static (_, _) => throw new InvalidOperationException("A callback throws."));
        handle.MarkDirty();
        for (var turn = 0; turn < MostTurns && !handle.IsClosed; turn++)
        {
            time.Advance(TimeSpan.FromMilliseconds(25));
            await Task.Yield();
        }

        Assert.True(handle.IsClosed);
        application.Return();
    }

    /// <summary>Reports what a database with an old transaction, and background work that fails, would.</summary>
    public static async Task MakeDatabaseTroubleAsync()
    {
        new SnapshotWatch(new StoutDiagnostics(), partition: 0).Note(TimeSpan.FromMinutes(10), seesAll: true);
        var store = new JobStore();
        await using var client = await StoutClient.OpenAsync(store, new TroubledApplication(), cancellationToken: TestContext.Current.CancellationToken);
        store.Job.Fail(new StoreException(StoreErrorKind.Refused, "No right to delete."));
    }

    public async Task<Scrape> ScrapeAsync() => new(await _http.GetStringAsync("metrics", TestContext.Current.CancellationToken));

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await _app.StopAsync();
        await _app.DisposeAsync();
    }

    private async Task<HttpStatusCode> PutAsync(string document, string text = "Once upon a time")
    {
        using var answer = await _http.PutAsync($"documents/{document}/sections/opening", new StringContent(text), TestContext.Current.CancellationToken);
        return answer.StatusCode;
    }
}
