using System.Text.Json;
using Microsoft.Extensions.Time.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Stout.Documents;
using Stout.Hosting.Tests.Support;
using Stout.Pacing;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Hosting.Tests;

public sealed class HealthTests
{
    private static CancellationToken Test => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Health_follows_the_age_of_the_oldest_undurable_change()
    {
        var (store, time) = (new ControlledStore(), new FakeTimeProvider());
        using var host = TestHost.Build(services =>
        {
            services.AddSingleton<TimeProvider>(time);
            services.AddStout("a", HostTests.AtOnce).UseStore(_ => store);
            services.AddHealthChecks().AddStout("a", options => (options.DegradedAge, options.UnhealthyAge) = (TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(4)));
        });
        var health = host.Services.GetRequiredService<HealthCheckService>();
        Assert.Equal(HealthStatus.Unhealthy, await CheckAsync());
        await host.StartAsync(Test);
        Assert.Equal(HealthStatus.Healthy, await CheckAsync());

        var hold = store.HoldWrites();
        var notes = host.Services.GetRequiredKeyedService<DocumentStore>("a").GetCollection<string>("notes");
        var change = notes.UpdateAsync("a", _ => "text", Test).AsTask();
        await hold.Arrived;
        time.Advance(TimeSpan.FromSeconds(1.9));
        Assert.Equal(HealthStatus.Healthy, await CheckAsync());
        time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.Equal(HealthStatus.Degraded, await CheckAsync());
        time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(HealthStatus.Unhealthy, await CheckAsync());

        hold.Release();
        await change;
        Assert.Equal(HealthStatus.Healthy, await CheckAsync());
        await host.StopAsync(Test);
        Assert.Equal(HealthStatus.Unhealthy, await CheckAsync());

        async Task<HealthStatus> CheckAsync() => (await health.CheckHealthAsync(Test)).Entries["stout:a"].Status;
    }

    [Fact]
    public async Task Data_of_the_health_check_have_the_figures_of_their_names()
    {
        var store = new ControlledStore();
        using var host = TestHost.Build(services =>
        {
            services.AddStout(HostTests.AtOnce).UseStore(_ => store).AddCollection<string>("notes");
            services.AddHealthChecks().AddStout();
        });
        await host.StartAsync(Test);
        var (documents, notes) = (host.Services.GetRequiredService<DocumentStore>(), host.Services.GetRequiredService<DocumentCollection<string>>());
        var hold = store.HoldWrites();
        Task[] changes = [notes.SetAsync("a", "1", Test).AsTask(), notes.SetAsync("a", "2", Test).AsTask()];
        await hold.Arrived;
        while (documents.GetStatistics().WaitingMessages < changes.Length)
            await Task.Yield();

        var data = (await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Test)).Entries["stout"].Data;

        var now = documents.GetStatistics();
        Assert.NotEqual(now.DirtyKeys, now.WaitingMessages);
        Assert.Equal((object)now.DirtyKeys, data["dirtyKeys"]);
        Assert.Equal((object)now.WaitingMessages, data["waitingMessages"]);
        hold.Release();
        await Task.WhenAll(changes);
        await host.StopAsync(Test);
    }

    [Fact]
    public void Statistics_as_JSON_name_the_members_of_enumerations()
    {
        var json = JsonSerializer.SerializeToElement(new StoutStatistics { StoreRefusal = StoreErrorKind.Corrupt, Phase = PacingPhase.Startup });

        Assert.Equal(("Startup", "None", "Corrupt"), (Text("Phase"), Text("Limit"), Text("StoreRefusal")));
        var enumerations = typeof(StoutStatistics).GetProperties().Where(static figure => (Nullable.GetUnderlyingType(figure.PropertyType) ?? figure.PropertyType).IsEnum);
        Assert.All(enumerations, figure => Assert.Equal(JsonValueKind.String, json.GetProperty(figure.Name).ValueKind));

        string? Text(string figure) => json.GetProperty(figure).GetString();
    }

    [Theory]
    [InlineData(2, HealthStatus.Healthy)]
    [InlineData(3, HealthStatus.Degraded)]
    [InlineData(9, HealthStatus.Degraded)]
    [InlineData(10, HealthStatus.Unhealthy)]
    public async Task Health_follows_the_failures_in_a_row(int failures, HealthStatus status)
    {
        var store = new FailingStore(failures);
        using var host = TestHost.Build(services =>
        {
            services.AddStout(options =>
            {
                HostTests.AtOnce(options);
                (options.Stout.MinRetryDelay, options.Stout.MaxRetryDelay) = (TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(1));
            }).UseStore(_ => store);
            services.AddHealthChecks().AddStout();
        });
        await host.StartAsync(Test);
        var documents = host.Services.GetRequiredService<DocumentStore>();
        var change = documents.GetCollection<string>("notes").UpdateAsync("a", _ => "text", Test).AsTask();
        await store.Failed;
        Assert.Equal(failures, documents.GetStatistics().ConsecutiveFailures);
        var report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Test);
        Assert.Equal(status, report.Entries["stout"].Status);
        Assert.Equal(failures, report.Entries["stout"].Data["consecutiveFailures"]);
        store.Recover();
        await change;
        Assert.Equal(0, documents.GetStatistics().ConsecutiveFailures);
    }

    [Fact]
    public async Task Failing_background_job_degrades_the_health_is_counted_and_is_logged_once_per_pause()
    {
        var (store, time, log) = (new JobStore(), new FakeTimeProvider(), new RecordingLog());
        using var metrics = new Listening();
        using var host = TestHost.Build(services =>
        {
            services.AddSingleton<TimeProvider>(time);
            services.AddStout("a", options =>
            {
                HostTests.AtOnce(options);
                (options.Stout.Diagnostics.LoggerFactory, options.Stout.Diagnostics.MeterFactory) = (log, metrics);
            }).UseStore(_ => store);
            services.AddHealthChecks().AddStout("a");
        });

        // The job may fail before the client knows it.
        Fail();
        await host.StartAsync(Test);
        var report = await CheckAsync();
        Assert.Equal(HealthStatus.Degraded, report.Status);
        Assert.Contains("sweep of partition 0 (Refused)", report.Description, StringComparison.Ordinal);
        await host.Services.GetRequiredKeyedService<DocumentStore>("a").GetCollection<string>("notes").UpdateAsync("a", _ => "text", Test);

        for (var i = 0; i < 20; i++)
            Fail();
        Assert.Equal(21, metrics.Values("stout.background.failures", "stout.background.job", "sweep").Sum());
        Assert.Equal(21L, (await CheckAsync()).Data["backgroundFailures"]);
        Assert.Single(log.Of(Stout.Diagnostics.StoutLogEvents.BackgroundJobFailed));
        time.Advance(TimeSpan.FromSeconds(10));
        Fail();
        Assert.Contains("21 times", log.Of(Stout.Diagnostics.StoutLogEvents.BackgroundJobFailed).Last().Text, StringComparison.Ordinal);

        store.Job.Begin();
        Assert.Equal(HealthStatus.Degraded, (await CheckAsync()).Status);
        store.Job.End();
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync()).Status);

        void Fail() => store.Job.Fail(new StoreException(StoreErrorKind.Refused, "no permission"));

        async Task<HealthReportEntry> CheckAsync() =>
            (await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Test)).Entries["stout:a"];
    }

    [Fact]
    public async Task Store_that_is_refused_for_good_is_not_ready()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The system does not tell which file a name leads to.");
        var directory = Directory.CreateTempSubdirectory("stout-health-").FullName;
        var time = new FakeTimeProvider();
        using var host = TestHost.Build(services =>
        {
            services.AddSingleton<TimeProvider>(time);
            services.AddStout(HostTests.AtOnce).UseSqlite(Path.Combine(directory, "docs.db"));
            services.AddHealthChecks().AddStout();
        });
        await host.StartAsync(Test);
        var notes = host.Services.GetRequiredService<DocumentStore>().GetCollection<string>("notes");
        await notes.UpdateAsync("a", _ => "text", Test);
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync()).Status);
        File.Delete(Path.Combine(directory, "docs.db"));

        await Assert.ThrowsAsync<NotAppliedException>(async () => await notes.UpdateAsync("a", _ => "lost", Test));
        time.Advance(TimeSpan.FromDays(1));

        var report = await CheckAsync();
        Assert.Equal((HealthStatus.Unhealthy, "The store refuses every request: LayoutMismatch."), (report.Status, report.Description));
        await host.StopAsync(Test);
        Directory.Delete(directory, recursive: true);

        async Task<HealthReportEntry> CheckAsync() => (await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Test)).Entries["stout"];
    }
}
