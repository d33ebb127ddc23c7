using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Npgsql;
using Stout.PostgreSql.Sessions;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>Connection strings with several hosts, whose errors Npgsql reports together.</summary>
public sealed class SeveralHostsTests
{
    [Fact]
    public async Task Hosts_that_are_all_down_are_unreachable_when_the_store_is_opened()
    {
        await using var storage = new PostgreSqlStorage($"Host={ClosedPort()},{ClosedPort()};Username=x;Password=s3cr3t");

        var error = await Assert.ThrowsAsync<StoreException>(async () => await storage.OpenAsync(TestContext.Current.CancellationToken));

        Assert.Equal(StoreErrorKind.Unreachable, error.Kind);
        Assert.DoesNotContain("s3cr3t", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Outage_of_the_only_living_host_is_bridged_and_every_step_is_acknowledged()
    {
        await using var server = new OwnServer();
        await server.StartAsync();
        var options = new PostgreSqlOptions { ConnectionStrings = [Hosts(server, ClosedPort())] };
        var refusals = new Refusals();
        await using var service = await CountingService.OpenAsync(new WatchedStore(new PostgreSqlStorage(options), refusals));
        using var stop = new CancellationTokenSource();
        var counting = service.CountAsync(8, stop.Token);
        await service.AcknowledgedAsync(50);

        await server.KillAsync();
        await refusals.SeenAsync(StoreErrorKind.Unreachable, 5);
        await server.StartAsync();

        await service.AcknowledgedAsync(50);
        await stop.CancelAsync();
        await counting;
        Assert.Empty(service.Failures);
        Assert.DoesNotContain(StoreErrorKind.Refused, refusals.Kinds);
        await service.VerifyAsync(new PostgreSqlStorage(options));
    }

    [Fact]
    public async Task Start_of_a_service_waits_for_the_only_living_host()
    {
        await using var server = new OwnServer();
        await server.StartAsync();
        using var log = new EventLog();
        var hosts = Hosts(server, ClosedPort());
        await server.KillAsync();
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders().AddProvider(log);
        builder.Services.AddStout().UsePostgreSql(hosts).AddCollection<string>("notes");
        using var host = builder.Build();

        var start = host.StartAsync(TestContext.Current.CancellationToken);
        await Task.WhenAny(start, log.Warned);
        Assert.False(start.IsCompleted);
        await server.StartAsync();

        await start;
        await host.StopAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task Standby_that_is_listed_first_is_passed_over()
    {
        await using var standby = new OwnServer();
        await using var primary = new OwnServer();
        await primary.StartAsync();
        await standby.StartAsync();
        var settings = new NpgsqlConnectionStringBuilder(primary.ConnectionString);
        await TestDatabases.ExecuteOnAsync(standby.ConnectionString, $"ALTER ROLE postgres PASSWORD '{settings.Password}'");
        await standby.BecomeStandbyAsync();
        settings.Host = $"{Address(standby)},{Address(primary)}";
        await using var store = await StoreClient.OpenAsync(new PostgreSqlStorage(settings.ConnectionString));

        for (var i = 0; i < 3; i++)
            await store.PutAsync($"key {i}", Stamp.Absent, parts: [Part("", "value")]);

        settings.Host = Address(standby);
        await using var alone = new PostgreSqlStorage(settings.ConnectionString);
        var error = await Assert.ThrowsAsync<StoreException>(async () => await alone.OpenAsync(TestContext.Current.CancellationToken));
        Assert.Equal((StoreErrorKind.Unreachable, true), (error.Kind, error.Message.Contains("standby", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("down down", StoreErrorKind.Unreachable)]
    [InlineData("password down", StoreErrorKind.Unreachable)]
    [InlineData("down tls", StoreErrorKind.Unreachable)]
    [InlineData("starting password", StoreErrorKind.Unreachable)]
    [InlineData("full down", StoreErrorKind.Unreachable)]
    [InlineData("full full", StoreErrorKind.Overloaded)]
    [InlineData("full password", StoreErrorKind.Unreachable)]
    [InlineData("password password", StoreErrorKind.Refused)]
    [InlineData("tls password", StoreErrorKind.Refused)]
    [InlineData("password database", StoreErrorKind.Refused)]
    [InlineData("timeout tls", StoreErrorKind.Unreachable)]
    [InlineData("", StoreErrorKind.Unreachable)]
    public void Hosts_refuse_only_if_all_do(string hosts, object kind)
    {
        var errors = hosts.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(OfHost).ToList();
        var error = new NpgsqlException("Unable to connect to a suitable host.", errors.Count == 0 ? null : new AggregateException(errors));

        Assert.Equal(kind, PostgreSqlErrors.ClassifyConnecting(error).Kind);
    }

    [Theory]
    [InlineData("down")]
    [InlineData("password")]
    [InlineData("tls")]
    [InlineData("starting")]
    [InlineData("closed")]
    [InlineData("refusal")]
    public void Request_that_was_sent_is_unknown_whatever_the_cause_of_its_error(string cause)
    {
        var inner = OfHost(cause);
        Exception[] errors = [new NpgsqlException("x", inner), new AggregateException(inner), new IOException("x", inner), new InvalidOperationException("x", inner)];

        Assert.All(errors, error => Assert.Equal(StoreErrorKind.Unknown, PostgreSqlErrors.Classify(error).Kind));
        if (inner is not (PostgresException or StoreException))
            Assert.Equal(StoreErrorKind.Unknown, PostgreSqlErrors.Classify(inner).Kind);
    }

    [Theory]
    [InlineData("Host=a;Timeout=15", 5, "")]
    [InlineData("Host=a,b;Timeout=15", 2, "primary")]
    [InlineData("Host=a,b;Timeout=15;Target Session Attributes=any", 2, "any")]
    [InlineData("Host=a,b;Timeout=1;Host Recheck Seconds=7", 1, "primary")]
    public void All_hosts_are_tried_within_a_calls_time_limit_and_the_primary_is_asked_for(string text, int timeout, string target)
    {
        using var source = SessionSettings.CreateDataSource(text, new PostgreSqlOptions { ConnectionStrings = [text] });
        var settings = new NpgsqlConnectionStringBuilder(source.ConnectionString);

        Assert.Equal((timeout, target), (settings.Timeout, settings.TargetSessionAttributes ?? ""));
        Assert.Equal(text.Contains("Recheck", StringComparison.Ordinal) ? 7 : text.Contains(',', StringComparison.Ordinal) ? 1 : 10, settings.HostRecheckSeconds);
    }

    private static Exception OfHost(string host) => host switch
    {
        "down" => new NpgsqlException("Failed to connect", new SocketException((int)SocketError.ConnectionRefused)),
        "timeout" => new NpgsqlException("Failed to connect", new TimeoutException()),
        "tls" => new NpgsqlException("Exception while performing SSL handshake", new AuthenticationException()),
        "starting" => Answer(PostgresErrorCodes.CannotConnectNow),
        "full" => Answer(PostgresErrorCodes.TooManyConnections),
        "database" => Answer(PostgresErrorCodes.InvalidCatalogName),
        "closed" => new ObjectDisposedException("x"),
        "refusal" => new StoreException(StoreErrorKind.Refused, "x"),
        _ => Answer(PostgresErrorCodes.InvalidPassword),
    };

    private static PostgresException Answer(string sqlState) => new("x", "FATAL", "FATAL", sqlState);

    private static string Hosts(OwnServer server, string other) =>
        new NpgsqlConnectionStringBuilder(server.ConnectionString) { Host = $"{other},{Address(server)}" }.ConnectionString;

    private static string Address(OwnServer server)
    {
        var settings = new NpgsqlConnectionStringBuilder(server.ConnectionString);
        return FormattableString.Invariant($"{settings.Host}:{settings.Port}");
    }

    /// <summary>The address of a port where no server listens.</summary>
    private static string ClosedPort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return $"{listener.LocalEndpoint}";
    }
}
