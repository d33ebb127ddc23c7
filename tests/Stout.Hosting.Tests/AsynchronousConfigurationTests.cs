using Microsoft.Extensions.DependencyInjection;
using Stout.Storage;

namespace Stout.Hosting.Tests;

/// <summary>Options are not set by asynchronous functions, whose statements after the first await would run after the options are used.</summary>
public sealed class AsynchronousConfigurationTests
{
    [Fact]
    public void Asynchronous_function_that_configures_options_is_refused()
    {
        var services = new ServiceCollection();
        var stout = services.AddStout("others");
        IsRefused(() => services.AddStout(async options =>
        {
            await Task.Yield();
            options.MaxCachedObjects = 1;
        }));
        IsRefused(() => services.AddStoutClient<NoObjects>("client", async options =>
        {
            await Task.Yield();
            options.MaxDirtyKeys = 1;
        }));
        IsRefused(() => services.AddHealthChecks().AddStout("others", async options =>
        {
            await Task.Yield();
            options.UnhealthyFailures = 1;
        }));
        IsRefused(() => stout.UseSqlite(async options =>
        {
            await Task.Yield();
            options.Path = "a.db";
        }));
        IsRefused(() => stout.UsePostgreSql(SetLaterAsync));

        static void IsRefused(Action add) => Assert.Equal("configure", Assert.Throws<ArgumentException>(add).ParamName);
    }

    [Fact]
    public void Asynchronous_function_in_an_option_is_refused_by_the_name_of_the_option()
    {
        var stout = new StoutOptions { CallbackFailed = async _ => await Task.Yield() };
        Assert.Equal("CallbackFailed", Assert.Throws<InvalidOptionException>(stout.Validate).Option);
        stout.CallbackFailed = static _ => { };
        stout.Validate();

        var options = new PostgreSql.PostgreSqlOptions { ConnectionStrings = ["Host=a"], ConfigureDataSource = async _ => await Task.Yield() };
        Assert.Equal("ConfigureDataSource", Assert.Throws<InvalidOptionException>(() => new PostgreSql.PostgreSqlStorage(options)).Option);
    }

    private static async void SetLaterAsync(PostgreSql.PostgreSqlOptions options)
    {
        await Task.Yield();
        options.ConnectionStrings.Add("Host=a");
    }

    private sealed class NoObjects : IStoutApplication
    {
        public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => default;

        public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken) => default;
    }
}
