using System.Net.Sockets;
using System.Security.Authentication;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Tests;

/// <summary>
/// The classification of error numbers. No server is needed: a test can't create SqlClient's exceptions, but it can pass their numbers.
/// </summary>
public sealed class TroubleTests
{
    [Theory]
    [InlineData(1205, StoreErrorKind.Busy, true)]
    [InlineData(2601, StoreErrorKind.Refused, true)]
    [InlineData(2627, StoreErrorKind.Refused, true)]
    [InlineData(3960, StoreErrorKind.Busy, true)]
    [InlineData(41302, StoreErrorKind.Busy, true)]
    [InlineData(10928, StoreErrorKind.Overloaded, false)]
    [InlineData(10929, StoreErrorKind.Overloaded, false)]
    [InlineData(40613, StoreErrorKind.Overloaded, false)]
    [InlineData(49918, StoreErrorKind.Overloaded, false)]
    [InlineData(49919, StoreErrorKind.Overloaded, false)]
    [InlineData(49920, StoreErrorKind.Overloaded, false)]
    [InlineData(4221, StoreErrorKind.Overloaded, false)]
    [InlineData(1222, StoreErrorKind.Busy, false)]
    [InlineData(-2, StoreErrorKind.Unknown, false)]
    [InlineData(40197, StoreErrorKind.Unknown, false)]
    [InlineData(10054, StoreErrorKind.Unknown, false)]
    [InlineData(33557097, StoreErrorKind.Busy, false)]
    [InlineData(1105, StoreErrorKind.Full, false)]
    [InlineData(9002, StoreErrorKind.Full, false)]
    [InlineData(40544, StoreErrorKind.Full, false)]
    [InlineData(3906, StoreErrorKind.Unreachable, false)]
    [InlineData(18456, StoreErrorKind.Refused, false)]
    [InlineData(229, StoreErrorKind.Refused, false)]
    [InlineData(208, StoreErrorKind.LayoutMismatch, false)]
    [InlineData(824, StoreErrorKind.Corrupt, false)]
    public void Error_of_a_command_means_what_is_certain(int number, object kind, bool repeat)
    {
        var trouble = SqlTrouble.Of([number], isConnecting: false);

        Assert.Equal(((StoreErrorKind)kind, repeat), (trouble.Kind, trouble.Repeat));
    }

    [Theory]
    [InlineData(1222, StoreErrorKind.Busy, true)]
    [InlineData(1205, StoreErrorKind.Busy, true)]
    [InlineData(547, StoreErrorKind.Refused, true)]
    [InlineData(2628, StoreErrorKind.Refused, true)]
    [InlineData(3609, StoreErrorKind.Refused, true)]
    [InlineData(824, StoreErrorKind.Corrupt, true)]
    [InlineData(2627, StoreErrorKind.Refused, false)]
    [InlineData(50_001, StoreErrorKind.Refused, false)]
    public void Error_that_one_key_may_have_caused_is_told_apart(int number, object kind, bool isCertain)
    {
        var trouble = SqlTrouble.Of([number], isConnecting: false, isAnswer: true);

        Assert.Equal(((StoreErrorKind)kind, true, isCertain), (trouble.Kind, trouble.OfKey, trouble.IsCertain));
    }

    [Theory]
    [InlineData(208)]
    [InlineData(229)]
    [InlineData(1105)]
    [InlineData(1204)]
    [InlineData(-2)]
    [InlineData(40501)]
    public void Error_that_concerns_the_whole_store_is_not_looked_for_in_a_key(int number) =>
        Assert.False(SqlTrouble.Of([number], isConnecting: false, isAnswer: true).OfKey);

    [Theory]
    [InlineData(1204)]
    [InlineData(701)]
    [InlineData(8645)]
    [InlineData(8649)]
    public void Request_that_needs_more_than_the_server_grants_one_request_is_over_a_limit(int number) =>
        Assert.Equal(StoreErrorKind.LimitExceeded, SqlTrouble.Of([number], isConnecting: false, isAnswer: true).Kind);

    [Theory]
    [InlineData(-2, StoreErrorKind.Unreachable)]
    [InlineData(53, StoreErrorKind.Unreachable)]
    [InlineData(10061, StoreErrorKind.Unreachable)]
    [InlineData(40197, StoreErrorKind.Unreachable)]
    [InlineData(1222, StoreErrorKind.Unreachable)]
    [InlineData(18456, StoreErrorKind.Refused)]
    [InlineData(4060, StoreErrorKind.Refused)]
    [InlineData(40613, StoreErrorKind.Overloaded)]
    [InlineData(10928, StoreErrorKind.Overloaded)]
    public void Error_of_connecting_is_certain_since_nothing_was_sent(int number, object kind) =>
        Assert.Equal((StoreErrorKind)kind, SqlTrouble.Of([number], isConnecting: true).Kind);

    [Theory]
    [InlineData(3906)]
    [InlineData(976)]
    [InlineData(983)]
    [InlineData(921)]
    [InlineData(942)]
    [InlineData(952)]
    [InlineData(17142)]
    [InlineData(18401)]
    public void Server_that_has_lost_the_database_to_another_needs_new_connections(int number)
    {
        var trouble = SqlTrouble.Of([number], isConnecting: false);

        Assert.Equal((StoreErrorKind.Unreachable, true), (trouble.Kind, trouble.NeedsNewConnections));
        Assert.False(SqlTrouble.Of([1205], isConnecting: false).NeedsNewConnections);
    }

    [Theory]
    [InlineData(18456, StoreErrorScope.Partition)]
    [InlineData(229, StoreErrorScope.Partition)]
    [InlineData(208, StoreErrorScope.Partition)]
    [InlineData(547, StoreErrorScope.Request)]
    [InlineData(2627, StoreErrorScope.Request)]
    [InlineData(1105, StoreErrorScope.Request)]
    public void Refusal_of_credentials_affects_every_key_and_that_of_a_constraint_its_key_alone(int number, object scope) =>
        Assert.Equal((StoreErrorScope)scope, SqlTrouble.Of([number], isConnecting: false, isAnswer: true).Scope);

    [Theory]
    [InlineData(50_000, 11, true)]
    [InlineData(50_000, 16, true)]
    [InlineData(50_000, 17, false)]
    [InlineData(50_000, 20, false)]
    [InlineData(-2, 11, false)]
    [InlineData(0, 11, false)]
    public void Server_answers_the_request_itself_by_severities_of_11_to_16(int number, int severity, bool isAnswer) =>
        Assert.Equal(isAnswer, SqlTrouble.IsAnswer(number, severity));

    [Fact]
    public void Azures_busy_asks_for_ten_seconds() =>
        Assert.Equal(TimeSpan.FromSeconds(10), SqlTrouble.Of([40501], isConnecting: false).RetryAfter);

    [Fact]
    public void First_number_that_is_known_decides()
    {
        Assert.Equal(StoreErrorKind.Full, SqlTrouble.Of([50_000, 1105, 1205], isConnecting: false).Kind);
        Assert.Equal(StoreErrorKind.Unknown, SqlTrouble.Of([-2, 1205], isConnecting: false).Kind);
        Assert.Equal(StoreErrorKind.Unknown, SqlTrouble.Of([], isConnecting: false).Kind);
    }

    [Fact]
    public void Missing_provider_of_Entra_ID_is_refused_with_the_name_of_its_package()
    {
        var refusal = SqlServerErrors.ClassifyConnecting(new ArgumentException("Cannot find an authentication provider."));

        Assert.Equal(StoreErrorKind.Refused, refusal.Kind);
        Assert.Contains("Microsoft.Data.SqlClient.Extensions.Azure", refusal.Message, StringComparison.Ordinal);
    }

    public static TheoryData<Exception, StoreErrorKind> Connecting { get; } = new()
    {
        { new AggregateException(new SocketException(), new AuthenticationException()), StoreErrorKind.Unreachable },
        { new AggregateException(new AuthenticationException(), new AuthenticationException()), StoreErrorKind.Refused },
        { new InvalidOperationException("x", new SocketException()), StoreErrorKind.Unreachable },
        { new InvalidOperationException("The pool is exhausted."), StoreErrorKind.Overloaded },
        { new TimeoutException(), StoreErrorKind.Unreachable },
        { new IOException("x", new AuthenticationException()), StoreErrorKind.Refused },
        { new HttpRequestException("The service of tokens is down."), StoreErrorKind.Unreachable },
    };

    [Theory]
    [MemberData(nameof(Connecting), DisableDiscoveryEnumeration = true)]
    public void Wrapper_of_an_error_of_connecting_does_not_decide(Exception error, StoreErrorKind kind) =>
        Assert.Equal(kind, SqlServerErrors.ClassifyConnecting(error).Kind);

    [Theory]
    [MemberData(nameof(Connecting), DisableDiscoveryEnumeration = true)]
    public void Request_that_was_sent_is_unknown_whatever_the_cause_of_its_error(Exception cause, StoreErrorKind kind)
    {
        Assert.All(
            [cause, new AggregateException(cause), new IOException("x", cause), new InvalidOperationException("x", cause)],
            error => Assert.Equal(StoreErrorKind.Unknown, SqlServerErrors.Classify(error).Kind));
        Assert.Equal(StoreErrorKind.Unknown, SqlServerErrors.AfterUncertainAttempt(new StoreException(kind, "x")).Kind);
    }

    [Fact]
    public void Connection_string_gets_what_the_proxy_relies_on_and_keeps_the_rest()
    {
        var plain = new SqlConnectionStringBuilder(Database.Complete("Server=here", TimeSpan.FromSeconds(2.5)));
        var full = new SqlConnectionStringBuilder(Database.Complete(
            "Server=here;Max Pool Size=99;Application Name=mine;Enlist=true;Connect Timeout=1", TimeSpan.FromSeconds(10)));

        Assert.Equal((false, 0, 3), (plain.Enlist, plain.ConnectRetryCount, plain.ConnectTimeout));
        Assert.Equal((PoolBlockingPeriod.NeverBlock, 8), (plain.PoolBlockingPeriod, plain.CommandTimeout));
        Assert.Equal(("here", 99, "mine", false, 1), (full.DataSource, full.MaxPoolSize, full.ApplicationName, full.Enlist, full.ConnectTimeout));
    }

    [Theory]
    [InlineData(4060, "The database that the connection string names does not exist, or the login may not open it. ")]
    [InlineData(18456, "The server does not accept the login. ")]
    [InlineData(262, "The user lacks a permission: CREATE SCHEMA and CREATE TABLE where the schema is to be made, otherwise SELECT, INSERT, UPDATE and DELETE on its tables. ")]
    [InlineData(208, "A table of the schema is missing, or the user may not see it. ")]
    [InlineData(1205, "")]
    public void Number_says_what_is_missing(int number, string words) => Assert.Equal(words, SqlTrouble.AdviceOf(number));

    [Fact]
    public async Task Server_where_nobody_listens_is_unreachable_and_its_password_stays_secret()
    {
        var listener = new System.Net.Sockets.TcpListener(System.Net.IPAddress.Loopback, 0);
        listener.Start();
        var port = ((System.Net.IPEndPoint)listener.LocalEndpoint).Port;
        listener.Stop();
        await using var storage = new SqlServerStorage($"Server=127.0.0.1,{port};User Id=x;Password=s3cr3t;Encrypt=False");

        var error = await Assert.ThrowsAsync<StoreException>(async () => await storage.OpenAsync(TestContext.Current.CancellationToken));

        Assert.Equal(StoreErrorKind.Unreachable, error.Kind);
        Assert.DoesNotContain("s3cr3t", error.ToString(), StringComparison.Ordinal);
    }
}
