using System.Net;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Hosting;
using Stout.Orleans.Chaos.Grains;
using Stout.Orleans.Chaos.Protocol;

namespace Stout.Orleans.Chaos.Silos;

/// <summary>A silo in this process. Requests are lines on standard input, answers are lines on standard output; the end of the input ends the silo.</summary>
internal static class SiloProgram
{
    /// <summary>Runs a silo with the settings of the environment.</summary>
    public static async Task RunAsync()
    {
        var settings = SiloSettings.Read();
        using var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { AutoFlush = true };
        using var input = new StreamReader(Console.OpenStandardInput());
        using var host = Build(settings);
        await host.StartAsync();
        var requests = new SiloRequests(host.Services);
        output.WriteLine("ready");
        var running = new List<Task>();
        var hasLeft = false;
        while (await input.ReadLineAsync() is { } line)
        {
            var request = JsonSerializer.Deserialize(line, ProtocolJson.Default.SiloRequest)!;
            running.RemoveAll(static answered => answered.IsCompletedSuccessfully);
            hasLeft |= request.Kind == RequestKind.Leave;
            running.Add(Task.Run(async () => Write(request.Kind == RequestKind.Leave ? await LeaveAsync(host, request.Id) : await requests.AnswerAsync(request))));
        }

        await Task.WhenAll(running);
        if (!hasLeft)
            await host.StopAsync();

        void Write(SiloAnswer answer)
        {
            var line = JsonSerializer.Serialize(answer, ProtocolJson.Default.SiloAnswer);
            lock (output)
                output.WriteLine(line);
        }
    }

    private static async Task<SiloAnswer> LeaveAsync(IHost host, long id)
    {
        var saves = host.Services.GetRequiredService<EndSaves>();
        saves.Begin();
        await host.StopAsync();
        // If the silo was declared dead while it left, other silos may have its grains. Then the store may refuse its saves, so the answer has no saves.
        var death = (SlowDeath)host.Services.GetRequiredService<IFatalErrorHandler>();
        return new SiloAnswer(id, Outcome.Done) { Saves = death.IsDying ? [] : saves.All };
    }

    private static IHost Build(SiloSettings settings)
    {
        var time = new DriftingTime();
        time.Set(settings.ClockOffset, 1);
        var builder = Host.CreateApplicationBuilder();
        builder.UseOrleans(silo =>
        {
            silo.ConfigureEndpoints(IPAddress.Loopback, settings.Port, gatewayPort: 0);
            silo.UseAdoNetClustering(options => (options.Invariant, options.ConnectionString) = ("Npgsql", settings.Membership));
            silo.Services.Configure<ClusterOptions>(options => (options.ClusterId, options.ServiceId) = (settings.Cluster, SiloSetup.ServiceId));
            silo.Services.Configure<SiloOptions>(options => options.SiloName = settings.Name);
            silo.Services.Configure<ClusterMembershipOptions>(static options =>
            {
                options.ProbeTimeout = TimeSpan.FromSeconds(1);
                options.NumMissedProbesLimit = 2;
                options.NumVotesForDeathDeclaration = 2;
                options.TableRefreshTimeout = TimeSpan.FromSeconds(5);
                // The silos' clocks are hours apart. So these options make the silo ignore all times in the membership table: those of starts and of signs of
                // life.
                options.NumMissedTableIAmAliveLimit = 10_000;
                options.SiloGenerationRetirementAge = null;
                options.EvictWhenMaxJoinAttemptTimeExceeded = false;
            });
            SiloSetup.Configure(silo, time, stout => stout.UsePostgreSql(options => (options.ConnectionStrings, options.Schema) = ([settings.Store], settings.Schema)), settings.HandsOver);
            silo.Services.Replace(ServiceDescriptor.Singleton<IFatalErrorHandler, SlowDeath>());
            // With the environment variable CHAOS_LOG, warnings are written to standard error.
            if (Environment.GetEnvironmentVariable("CHAOS_LOG") is not null)
                silo.Services.AddLogging(static logging => logging.SetMinimumLevel(LogLevel.Warning).AddConsole(static console => console.LogToStandardErrorThreshold = LogLevel.Trace));
        });
        return builder.Build();
    }
}
