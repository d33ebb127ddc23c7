using Microsoft.Extensions.DependencyInjection;
using Stout.Documents;
using Stout.Hosting.Tests.Support;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Hosting.Tests;

/// <summary>An application has one store. A test replaces it explicitly; no store is ignored.</summary>
public sealed class StoreReplacementTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Replacement_by_the_services_takes_the_place_of_the_application_s_store_whose_options_do_not_count()
    {
        await using var data = new InMemoryStore();
        using (var host = TestHost.Build(services =>
        {
            services.AddStout().UsePostgreSql().AddCollection<string>("notes"); // Without a connection string.
            services.ReplaceStoutStore(_ => data.Connect());
        }))
        {
            await host.StartAsync(Token);
            await host.Services.GetRequiredService<DocumentCollection<string>>().SetAsync("a", "kept", Token);
            await host.StopAsync(Token);
        }

        await using var reader = await DocumentStore.OpenAsync(data.Connect(), cancellationToken: Token);
        Assert.Equal("kept", await reader.GetCollection<string>("notes").GetAsync("a", Token));
    }

    [Fact]
    public async Task Options_of_a_store_that_is_not_replaced_count()
    {
        using var host = TestHost.Build(services =>
        {
            services.AddStout().UsePostgreSql();
            services.AddStout("other").UseInMemory();
            services.ReplaceStoutStore(_ => new InMemoryStore(), "other");
        });
        await Assert.ThrowsAsync<Microsoft.Extensions.Options.OptionsValidationException>(() => host.StartAsync(Token));
    }

    [Fact]
    public async Task Options_of_the_health_check_count_beside_a_replaced_store()
    {
        using var host = TestHost.Build(
            services =>
            {
                services.AddStout().UsePostgreSql().ReplaceStore(_ => new InMemoryStore());
                services.AddHealthChecks().AddStout();
            },
            settings: ("Stout:Health:DegradedFailures", "0"));
        var error = await Assert.ThrowsAsync<Microsoft.Extensions.Options.OptionsValidationException>(() => host.StartAsync(Token));
        Assert.Contains("Stout:Health:DegradedFailures", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Last_replacement_counts_before_or_after_the_store_and_wrappers_stay(bool isFirst)
    {
        await using var data = new InMemoryStore();
        FaultyStore? wrapper = null;
        using var host = TestHost.Build(services =>
        {
            var stout = services.AddStout("orders");
            if (isFirst)
                stout.ReplaceStore(_ => throw new InvalidOperationException("Not the last one.")).ReplaceStore(_ => data.Connect());
            stout.UseSqlite(NeverMade.Path).AddCollection<string>("notes").WrapStore((_, inner) => wrapper = new FaultyStore(inner));
            if (!isFirst)
                services.ReplaceStoutStore(_ => throw new InvalidOperationException("Not the last one."), "orders").ReplaceStoutStore(_ => data.Connect(), "orders");
        });
        await host.StartAsync(Token);
        await host.Services.GetRequiredKeyedService<DocumentCollection<string>>("orders").SetAsync("a", "kept", Token);
        Assert.NotNull(wrapper);
        Assert.False(File.Exists(NeverMade.Path));
        await host.StopAsync(Token);
    }

    [Fact]
    public void Second_store_is_refused()
    {
        var stout = new ServiceCollection().AddStout().UseSqlite(NeverMade.Path);
        var error = Assert.Throws<InvalidOperationException>(() => stout.UseInMemory());
        Assert.Contains("ReplaceStore", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Store_of_a_Stout_that_was_not_added_can_not_be_replaced()
    {
        var services = new ServiceCollection();
        services.AddStout().UseInMemory();
        Assert.Contains("'orders'", Assert.Throws<InvalidOperationException>(() => services.ReplaceStoutStore(_ => new InMemoryStore(), "orders")).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("orders")]
    public async Task Service_is_the_store_where_there_is_no_other(string name)
    {
        await using var data = new InMemoryStore();
        using (var host = TestHost.Build(services =>
        {
            services.AddStout(name).AddCollection<string>("notes");
            services.AddKeyedSingleton<IStorageProxy>("orders", name.Length > 0 ? data.Connect() : new InMemoryStore());
            services.AddSingleton<IStorageProxy>(name.Length > 0 ? new InMemoryStore() : data.Connect());
        }))
        {
            await host.StartAsync(Token);
            await host.Services.GetRequiredKeyedService<DocumentCollection<string>>(name.Length == 0 ? "notes" : "orders:notes").SetAsync("a", "kept", Token);
            await host.StopAsync(Token);
        }

        await using var reader = await DocumentStore.OpenAsync(data.Connect(), cancellationToken: Token);
        Assert.Equal("kept", await reader.GetCollection<string>("notes").GetAsync("a", Token));
    }

    [Fact]
    public async Task Service_beside_another_store_is_refused_and_not_ignored()
    {
        using var host = TestHost.Build(services =>
        {
            services.AddStout().UseSqlite(NeverMade.Path);
            services.AddSingleton<IStorageProxy>(new InMemoryStore());
        });
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync(Token));
        Assert.Contains("two stores", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Function_may_return_the_service()
    {
        using var host = TestHost.Build(services =>
        {
            services.AddStout().UseStore(static services => services.GetRequiredService<IStorageProxy>());
            services.AddSingleton<IStorageProxy>(new InMemoryStore());
        });
        await host.StartAsync(Token);
        await host.StopAsync(Token);
    }
}
