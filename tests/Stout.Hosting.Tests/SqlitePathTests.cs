using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Stout.Documents;
using Stout.Hosting.Tests.Support;
using Stout.Storage;

namespace Stout.Hosting.Tests;

/// <summary>The place of an SQLite file with a relative path: under the content root, wherever the host was started.</summary>
public sealed class SqlitePathTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("stout-root-").FullName;
    private readonly string _name = $"path-{Guid.NewGuid():N}.db";

    private static CancellationToken Test => TestContext.Current.CancellationToken;

    private string UnderRoot => Path.Combine(_root, _name);

    private string UnderWork => Path.GetFullPath(_name);

    public void Dispose()
    {
        Directory.Delete(_root, recursive: true);
        foreach (var file in Directory.GetFiles(Directory.GetCurrentDirectory(), _name + "*"))
            File.Delete(file);
    }

    [Theory]
    [InlineData("Production", LogLevel.Warning)]
    [InlineData("Development", LogLevel.Information)]
    public async Task Relative_path_begins_at_the_content_root_and_logs_tell_the_full_one(string environment, LogLevel created)
    {
        var log = new RecordingLog("Stout.Sqlite");
        using (var host = Build(log, environment))
        {
            await host.StartAsync(Test);
            await host.Services.GetRequiredService<DocumentCollection<string>>().UpdateAsync("a", _ => "text", Test);
            await host.StopAsync(Test);
        }

        Assert.True(File.Exists(UnderRoot));
        Assert.False(File.Exists(UnderWork));
        Assert.Single(log.Entries, entry => entry.Level == created && entry.Text.Contains($"{UnderRoot} did not exist and was created", StringComparison.Ordinal));
        Assert.Single(log.Entries, entry => entry.Level == LogLevel.Information && entry.Text.Contains("the files are open; the first of 1 is " + UnderRoot, StringComparison.Ordinal));

        using (var again = Build(log, environment))
        {
            await again.StartAsync(Test);
            Assert.Equal("text", await again.Services.GetRequiredService<DocumentCollection<string>>().GetAsync("a", Test));
            await again.StopAsync(Test);
        }

        Assert.Single(log.Entries, static entry => entry.Text.Contains("was created", StringComparison.Ordinal));
    }

    [Fact]
    public async Task File_that_exists_under_the_working_directory_alone_is_refused_with_both_paths()
    {
        await using (var store = await DocumentStore.OpenAsync(new Sqlite.SqliteStorage(_name), cancellationToken: Test))
            await store.GetCollection<string>("notes").UpdateAsync("a", _ => "there", Test);
        using (var host = Build(new RecordingLog("Stout.Sqlite"), "Production"))
        {
            var refusal = await Assert.ThrowsAsync<StoreException>(() => host.StartAsync(Test));
            Assert.Equal(StoreErrorKind.LayoutMismatch, refusal.Kind);
            Assert.Contains(UnderRoot, refusal.Message, StringComparison.Ordinal);
            Assert.Contains(UnderWork, refusal.Message, StringComparison.Ordinal);
        }

        Assert.Empty(Directory.GetFiles(_root));

        // With a file at both places, the one under the content root is meant.
        File.Copy(UnderWork, UnderRoot);
        using var both = Build(new RecordingLog("Stout.Sqlite"), "Production");
        await both.StartAsync(Test);
        Assert.Equal("there", await both.Services.GetRequiredService<DocumentCollection<string>>().GetAsync("a", Test));
        await both.StopAsync(Test);
    }

    private IHost Build(RecordingLog log, string environment)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings { ContentRootPath = _root, EnvironmentName = environment });
        builder.Logging.AddProvider(log).SetMinimumLevel(LogLevel.Debug);
        builder.Services.AddStout(HostTests.AtOnce).UseSqlite(_name).AddCollection<string>("notes");
        return builder.Build();
    }
}
