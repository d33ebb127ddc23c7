#pragma warning disable ORLEANSEXP005 // Orleans' journaling is experimental.
using System.Text.Json.Serialization.Metadata;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;
using Orleans.Hosting;
using Orleans.Journaling;
using Orleans.Journaling.Json;
using Stout.Orleans;

namespace Stout.Benchmarks.Grains;

/// <summary>One silo for each compared storage, in this process, on one database.</summary>
internal sealed class ComparedSilos : IAsyncDisposable
{
    private const int PoolSize = 40;
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(4);

    private readonly NpgsqlDataSource _journals;

    private ComparedSilos(GrainSilo plain, GrainSilo prepared, GrainSilo journaling, GrainSilo stout, NpgsqlDataSource journals, ServerProcessor server) =>
        (Plain, Prepared, Journaling, Stout, _journals, Server) = (plain, prepared, journaling, stout, journals, server);

    /// <summary>Orleans' ADO.NET provider.</summary>
    public GrainSilo Plain { get; }

    /// <summary>Orleans' ADO.NET provider, with statements that Npgsql prepares.</summary>
    public GrainSilo Prepared { get; }

    /// <summary>Orleans' journaling, with its journals in a table.</summary>
    public GrainSilo Journaling { get; }

    /// <summary>Stout's provider.</summary>
    public GrainSilo Stout { get; }

    /// <summary>The database's processor time.</summary>
    public ServerProcessor Server { get; }

    public static async Task<ComparedSilos> StartAsync(OrleansDatabase database)
    {
        var connection = database.Connect(PoolSize);
        var journals = NpgsqlDataSource.Create(database.Connect(PoolSize, prepares: true));
        return new ComparedSilos(
            await GrainSilo.StartAsync(silo => UseAdoNet(silo, connection)),
            await GrainSilo.StartAsync(silo => UseAdoNet(silo, database.Connect(PoolSize, prepares: true))),
            await GrainSilo.StartAsync(silo => silo.AddJournalStorage("Default", _ => new JournalTable(journals)).UseJsonJournalFormat(new DefaultJsonTypeInfoResolver())),
            await GrainSilo.StartAsync(silo => UseStout(silo, connection)),
            journals,
            await ServerProcessor.OfAsync(connection));
    }

    public static void UseAdoNet(ISiloBuilder silo, string connection) => silo.AddAdoNetGrainStorageAsDefault(options =>
    {
        options.Invariant = "Npgsql";
        options.ConnectionString = connection;
    });

    public static void UseStout(ISiloBuilder silo, string connection) =>
        silo.AddStoutGrainStorageAsDefault(stout => stout.UsePostgreSql(connection));

    /// <summary>Makes calls until the code of all storages is compiled with optimizations.</summary>
    public async Task WarmUpAsync()
    {
        foreach (var silo in new[] { Plain, Prepared, Stout })
            await silo.CallAsync<AccountGrain>(StorageCells.Grains, 64, WarmUp, static grain => grain.ChangeAsync());
        await Journaling.CallAsync<JournalAccountGrain>(StorageCells.Grains, 64, WarmUp, static grain => grain.ChangeAsync());
    }

    public async ValueTask DisposeAsync()
    {
        await Plain.DisposeAsync();
        await Prepared.DisposeAsync();
        await Journaling.DisposeAsync();
        await Stout.DisposeAsync();
        await _journals.DisposeAsync();
    }
}
