using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Stout.Hosting.Tests.Support;

/// <summary>Hosts with no configuration but the test's.</summary>
internal static class TestHost
{
    public static IHost Build(Action<IServiceCollection> configure, RecordingLog? log = null, params (string Key, string Value)[] settings)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Configuration.AddInMemoryCollection(settings.Select(setting => KeyValuePair.Create(setting.Key, (string?)setting.Value)));
        if (log is not null)
            builder.Logging.AddProvider(log).SetMinimumLevel(LogLevel.Debug);
        configure(builder.Services);
        return builder.Build();
    }

    public static CancellationToken Cancelled { get; } = new(canceled: true);
}
