using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Stout.Diagnostics;
using Stout.Documents;
using Stout.Hosting.Tests.Support;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Hosting.Tests;

public sealed class OptionsTests
{
    [Theory]
    [InlineData("Stout:UnreachableTimeout", "2.00:00:00", "it must be between 00:00:00 and 1.00:00:00")]
    [InlineData("Stout:MaxDirtyKeys", "0", "it must be 1 or more")]
    [InlineData("Stout:Documents:MaxCachedObjects", "0", "it must be 1 or more")]
    [InlineData("Stout:Sqlite:Partitions", "1025", "it must be between 1 and 1024")]
    [InlineData("Stout:Health:UnhealthyFailures", "2", "it must be DegradedFailures or more")]
    public async Task Option_out_of_its_range_stops_the_start_with_its_path_and_range(string option, string value, string allowed)
    {
        using var host = TestHost.Build(
            services =>
            {
                services.AddStout().UseSqlite(NeverMade.Path);
                services.AddHealthChecks().AddStout();
            },
            settings: (option, value));
        var error = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync(TestContext.Current.CancellationToken));
        Assert.Equal($"The option {option} is invalid: {allowed}.", error.Message);
        Assert.False(File.Exists(NeverMade.Path));
    }

    [Fact]
    public async Task Option_of_a_named_one_is_named_with_its_section()
    {
        using var host = TestHost.Build(
            services =>
            {
                services.AddStout().UseInMemory();
                services.AddStout("orders").UseInMemory();
            },
            settings: ("Stout:orders:RequestTimeout", "00:00:00"));
        var error = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync(TestContext.Current.CancellationToken));
        Assert.Contains("The option Stout:orders:RequestTimeout is invalid", Assert.Single(error.Failures), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Named_one_has_its_name_in_logs_unless_the_options_have_another()
    {
        var log = new RecordingLog();
        using var host = TestHost.Build(
            services =>
            {
                services.AddStout("orders").UseInMemory();
                services.AddStout("users").UseInMemory();
            },
            log,
            ("Stout:users:Diagnostics:ClientName", "people"));
        await host.StartAsync(TestContext.Current.CancellationToken);
        Assert.Equal(
            ["Stout orders is open; store partitions: 1", "Stout people is open; store partitions: 1"],
            log.Of(StoutLogEvents.Opened).Select(static entry => entry.Text));
        await host.StopAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task Store_can_be_wrapped_whichever_it_is_and_the_last_wrapper_is_outermost()
    {
        var wrapped = new List<(string By, Type Store)>();
        using var host = TestHost.Build(services => services.AddStout()
            .WrapStore((_, store) => Note("first", store)).UseInMemory().WrapStore((_, store) => Note("last", store)));
        await host.StartAsync(TestContext.Current.CancellationToken);
        Assert.Equal([("first", typeof(InMemoryStore)), ("last", typeof(FaultyStore))], wrapped);

        FaultyStore Note(string by, IStorageProxy store)
        {
            wrapped.Add((by, store.GetType()));
            return new FaultyStore(store);
        }
    }

    [Fact]
    public async Task Without_a_store_the_start_fails_and_says_what_to_call()
    {
        using var host = TestHost.Build(services => services.AddStout("orders"));
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync(TestContext.Current.CancellationToken));
        Assert.Equal("The Stout 'orders' has no store: call one of its builder's Use methods, such as UseSqlite or UseInMemory.", error.Message);
    }

    [Fact]
    public async Task Code_has_the_last_word_over_configuration()
    {
        using var host = TestHost.Build(
            services => services.AddStout(options => options.MaxCachedObjects = 7).UseInMemory(),
            settings: [("Stout:Documents:MaxCachedObjects", "5"), ("Stout:Documents:MaxCachedBytes", "1000"), ("Stout:MaxDirtyKeys", "9")]);
        await host.StartAsync(TestContext.Current.CancellationToken);
        var options = host.Services.GetRequiredService<IOptionsMonitor<DocumentStoreOptions>>().CurrentValue;
        Assert.Equal((7, 1000, 9), (options.MaxCachedObjects, options.MaxCachedBytes, options.Stout.MaxDirtyKeys));
    }

    [Fact]
    public void Two_of_one_name_are_refused()
    {
        var services = new ServiceCollection();
        services.AddStout("orders");
        services.AddStout("users");
        Assert.Throws<InvalidOperationException>(() => services.AddStout("orders"));
    }
}
