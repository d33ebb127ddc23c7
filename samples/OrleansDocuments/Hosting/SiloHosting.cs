using System.Net;
using System.Net.Sockets;
using OpenTelemetry.Metrics;
using Orleans.Configuration;
using Orleans.Dashboard;
using OrleansDocuments.Calls;
using SectionedDocuments.Hosting;
using Stout.Hosting;
using Stout.Orleans.Diagnostics;

namespace OrleansDocuments.Hosting;

/// <summary>Adds a silo: a single one on SQLite, or one of a cluster on PostgreSQL.</summary>
internal static class SiloHosting
{
    /// <summary>The name of the grain storage.</summary>
    public const string Storage = "documents";

    private const string Cluster = "documents";
    private static readonly string[] Stores = ["Sqlite", "PostgreSql"];

    public static void AddSilo(this WebApplicationBuilder builder)
    {
        var options = builder.Configuration.BindStrictly("OrleansDocuments", new SiloOptions());
        options.Validate();
        builder.Services.AddSingleton(options);
        builder.Services.ConfigureOpenTelemetryMeterProvider(static metrics => metrics.AddMeter(StoutOrleansMeter.Name));
        var database = builder.Configuration.GetConnectionString("Documents");
        // Added before the silo, which needs the tables to join the cluster.
        if (database is not null)
            builder.Services.AddHostedService(_ => new MembershipTables(database));
        builder.UseOrleans(silo => Configure(silo, options, database, builder.Environment));
    }

    private static void Configure(ISiloBuilder silo, SiloOptions options, string? database, IHostEnvironment environment)
    {
        // Port 0 opens no gateway: the clients are the HTTP interfaces in the silos.
        var ip = options.FindIp();
        var port = options.SiloPort > 0 ? options.SiloPort : FreePort(ip);
        if (database is null)
        {
            silo.UseLocalhostClustering(port, gatewayPort: 0, serviceId: Cluster, clusterId: Cluster);
        }
        else
        {
            silo.Configure<ClusterOptions>(static cluster => (cluster.ClusterId, cluster.ServiceId) = (Cluster, Cluster));
            silo.ConfigureEndpoints(ip, port, gatewayPort: 0);
            silo.UseAdoNetClustering(clustering => (clustering.Invariant, clustering.ConnectionString) = ("Npgsql", database));
        }

        silo.Configure<ClusterMembershipOptions>(membership =>
        {
            membership.ProbeTimeout = options.ProbeTimeout;
            membership.NumMissedProbesLimit = options.MissedProbes;
            membership.NumVotesForDeathDeclaration = options.DeathVotes;
            membership.IAmAliveTablePublishTimeout = options.AlivePeriod;
        });
        // Added before the grain storage, whose own filter holds replies. So the counter sees a reply after its release.
        silo.Services.AddSingleton<ReplyCounter>();
        silo.Services.AddSingleton<IIncomingGrainCallFilter>(static services => services.GetRequiredService<ReplyCounter>());
        silo.AddStoutGrainStorage(Storage, stout => UseStore(stout, database).StallInDevelopment(environment));
        if (environment.IsDevelopment())
            silo.AddDashboard();
    }

    private static StoutBuilder UseStore(StoutBuilder stout, string? database)
    {
        stout.IgnoreSettings(Stores);
        return database is null ? stout.UseSqlite() : stout.UsePostgreSql(database);
    }

    private static int FreePort(IPAddress ip)
    {
        using var socket = new Socket(ip.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(ip, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }
}
