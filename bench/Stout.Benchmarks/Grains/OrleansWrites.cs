using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;
using Orleans.Hosting;
using Stout.Benchmarks.Throughput;
using Stout.Orleans;

namespace Stout.Benchmarks.Grains;

/// <summary>
/// Grain storage on the PostgreSQL that STOUT_POSTGRES names: Orleans' ADO.NET provider, plain and with prepared statements, beside Stout's, in
/// silos of one process. Processor time is that of silo and callers, and the server's.
/// </summary>
internal static class OrleansWrites
{
    private const int Grains = 2_000;
    private static readonly int[] Callers = [256, 64, 1];

    public static async Task RunAsync(Comparison comparison)
    {
        var connection = Environment.GetEnvironmentVariable("STOUT_POSTGRES")
            ?? throw new InvalidOperationException("STOUT_POSTGRES names no server.");
        var database = $"orleans_{Guid.NewGuid():N}";
        await ExecuteAsync(connection, $"CREATE DATABASE {database}");
        try
        {
            var own = new NpgsqlConnectionStringBuilder(connection) { Database = database, MaxPoolSize = 80 };
            await ExecuteAsync(own.ConnectionString, await ScriptAsync());
            await using (var plain = await StartAsync(own.ConnectionString))
            await using (var prepared = await StartAsync(new NpgsqlConnectionStringBuilder(own.ConnectionString) { MaxAutoPrepare = 20, AutoPrepareMinUsages = 1 }.ConnectionString))
            await using (var stout = await GrainSilo.StartAsync(silo => silo.AddStoutGrainStorageAsDefault(stout => stout.UsePostgreSql(own.ConnectionString))))
                await RunAsync(comparison, plain, prepared, stout);
        }
        finally
        {
            NpgsqlConnection.ClearAllPools();
            await ExecuteAsync(connection, $"DROP DATABASE {database} WITH (FORCE)");
        }
    }

    private static async Task RunAsync(Comparison comparison, GrainSilo plain, GrainSilo prepared, GrainSilo stout)
    {
        foreach (var callers in Callers)
            await CompareAsync<AccountGrain>($"changes of {Grains:N0} grains, {callers} callers", Grains, callers);
        await CompareAsync<ReentrantAccountGrain>("changes of one reentrant grain, 64 callers", 1, 64, facet: true);

        var activations = comparison.Anew();
        activations.Add("ADO.NET", time => plain.ActivateAsync<AccountGrain>(Grains, 64, time));
        activations.Add("Stout, with a claim each", time => stout.ActivateAsync<AccountGrain>(Grains, 64, time));
        await activations.RunAsync("activations and deactivations, 64 at once");

        foreach (var (name, silo) in new[] { ("ADO.NET", plain), ("Stout", stout), ("ADO.NET", plain), ("Stout", stout) })
        {
            var times = (await silo.TimeAsync<AccountGrain>(500)).Order().ToList();
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  one caller, {name,-10} p50 {times[250].TotalMilliseconds:0.00} ms, p95 {times[475].TotalMilliseconds:0.00} ms"));
        }

        async Task CompareAsync<TGrain>(string what, int grains, int callers, bool facet = false)
            where TGrain : IAccountGrain
        {
            var (variants, server) = (comparison.Anew(), new Dictionary<string, (TimeSpan Time, long Changes)>());
            Add("ADO.NET", time => plain.ChangeAsync<TGrain>(grains, callers, time));
            Add("ADO.NET, prepared", time => prepared.ChangeAsync<TGrain>(grains, callers, time));
            Add("Stout", time => stout.ChangeAsync<TGrain>(grains, callers, time));
            if (facet)
                Add("Stout, the facet", time => stout.ChangeAsync<FacetAccountGrain>(grains, callers, time));
            await variants.RunAsync(what);
            foreach (var (name, (time, changes)) in server)
                Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {name,-46} {time.TotalMicroseconds / changes:0.0} µs of the server's processors each"));

            void Add(string name, Func<TimeSpan, Task<long>> run) => variants.Add(name, async time =>
            {
                var before = ServerProcessor.Used;
                var done = await run(time);
                var (used, changes) = server.GetValueOrDefault(name);
                server[name] = (used + ServerProcessor.Used - before, changes + done);
                return done;
            });
        }
    }

    private static Task<GrainSilo> StartAsync(string connectionString) => GrainSilo.StartAsync(silo => silo.AddAdoNetGrainStorageAsDefault(options =>
    {
        options.Invariant = "Npgsql";
        options.ConnectionString = connectionString;
    }));

    private static async Task<string> ScriptAsync()
    {
        await using var stream = typeof(OrleansWrites).Assembly.GetManifestResourceStream("orleans-postgresql.sql")!;
        return await new StreamReader(stream).ReadToEndAsync();
    }

    private static async Task ExecuteAsync(string connectionString, string sql)
    {
        await using var connection = new NpgsqlConnection(new NpgsqlConnectionStringBuilder(connectionString) { Pooling = false }.ConnectionString);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }
}
