using System.Net.Sockets;
using Stout.Pacing;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.AzureTables.Tests;

/// <summary>The service's failures, and the outcomes that the lane receives.</summary>
public sealed class TroubleTests : IDisposable
{
    private readonly TestTable _table;
    private readonly Wire _wire = new();

    public TroubleTests(Server server)
    {
        ArgumentNullException.ThrowIfNull(server);
        _table = new TestTable(server.Account);
        _table.Options.Transport = _wire.Transport;
    }

    public static TheoryData<int, string, WriteOutcomeKind, StoreErrorKind> Answers { get; } = new()
    {
        { 503, ServiceAnswers.Error("ServerBusy", "The server is busy."), WriteOutcomeKind.Overloaded, StoreErrorKind.Overloaded },
        { 429, ServiceAnswers.Error("TooManyRequests", "The request rate is too large."), WriteOutcomeKind.Overloaded, StoreErrorKind.Overloaded },
        { 503, "<html>a gateway's page</html>", WriteOutcomeKind.Unknown, StoreErrorKind.Unknown },
        { 500, ServiceAnswers.Error("OperationTimedOut", "Operation could not be completed within the specified time."), WriteOutcomeKind.Unknown, StoreErrorKind.Unknown },
        { 408, "", WriteOutcomeKind.Unknown, StoreErrorKind.Unknown },
        { 500, ServiceAnswers.Error("InternalError", "The server encountered an internal error. Please retry the request."), WriteOutcomeKind.Unknown, StoreErrorKind.Unknown },
        { 502, "<html>", WriteOutcomeKind.Unknown, StoreErrorKind.Unknown },
        { 504, "", WriteOutcomeKind.Unknown, StoreErrorKind.Unknown },
        { 403, ServiceAnswers.AuthenticationFailed, WriteOutcomeKind.Refused, StoreErrorKind.Refused },
        { 403, ServiceAnswers.Error("AuthorizationPermissionMismatch", "This request is not authorized."), WriteOutcomeKind.Refused, StoreErrorKind.Refused },
        { 404, ServiceAnswers.Error("TableNotFound", "The table specified does not exist."), WriteOutcomeKind.Refused, StoreErrorKind.LayoutMismatch },
        { 409, ServiceAnswers.Error("TableBeingDeleted", "The specified table is being deleted. Try operation later."), WriteOutcomeKind.Refused, StoreErrorKind.Refused },
        { 413, ServiceAnswers.Error("RequestBodyTooLarge", "The request body is too large."), WriteOutcomeKind.Refused, StoreErrorKind.Refused },
        { 202, ServiceAnswers.ChangeSet(0), WriteOutcomeKind.Unknown, StoreErrorKind.Unknown },
        { 202, ServiceAnswers.ChangeSet(2), WriteOutcomeKind.Unknown, StoreErrorKind.Unknown },
        { 202, ServiceAnswers.ChangeSet(1)[..300], WriteOutcomeKind.Unknown, StoreErrorKind.Unknown },
        { 202, "", WriteOutcomeKind.Unknown, StoreErrorKind.Unknown },
        { 202, "no multipart at all", WriteOutcomeKind.Unknown, StoreErrorKind.Unknown },
        { 202, ServiceAnswers.ChangeSetError("503 Service Unavailable", ServiceAnswers.Error("ServerBusy", "0:The server is busy.")), WriteOutcomeKind.Overloaded, StoreErrorKind.Overloaded },
        { 202, ServiceAnswers.ChangeSetError("500 Internal Server Error", ServiceAnswers.Error("OperationTimedOut", "0:Operation could not be completed within the specified time.")), WriteOutcomeKind.Unknown, StoreErrorKind.Unknown },
        { 202, ServiceAnswers.ChangeSetError("400 Bad Request", ServiceAnswers.Error("PropertyValueTooLarge", "0:The property value exceeds the maximum allowed size (64KB).")), WriteOutcomeKind.Refused, StoreErrorKind.Refused },
        { 202, ServiceAnswers.ChangeSetError("400 Bad Request", "not even JSON"), WriteOutcomeKind.Refused, StoreErrorKind.Refused },
    };

    public void Dispose()
    {
        _table.Dispose();
        _wire.Dispose();
    }

    [Theory]
    [MemberData(nameof(Answers), DisableDiscoveryEnumeration = true)]
    public async Task Answer_is_what_it_means(int status, string body, WriteOutcomeKind outcome, StoreErrorKind error)
    {
        await using var store = await _table.OpenAsync();
        _wire.Instead = request => Wire.IsTransaction(request) ? Wire.Answer(status, body, ServiceAnswers.MultipartType) : null;

        var write = await store.WriteAsync(store.NewWrite("key", Stamp.Absent), Part("", "x"));

        Assert.Equal((outcome, error), (write.Kind, Assert.IsType<StoreException>(write.Error).Kind));
        Assert.DoesNotContain("RequestId", write.Error!.Message, StringComparison.Ordinal);
        _wire.Instead = null;
        Assert.True((await store.ReadAsync("key")).Version.IsAbsent);
    }

    [Theory]
    [InlineData(503, "ServerBusy", "Retry-After", "7", 7_000)]
    [InlineData(429, "TooManyRequests", "x-ms-retry-after-ms", "250", 250)]
    [InlineData(500, "OperationTimedOut", "Retry-After", "3", 3_000)]
    [InlineData(503, "ServerBusy", "Retry-After", "soon", null)]
    public async Task Time_that_the_service_asks_for_goes_to_the_lane(int status, string code, string header, string value, int? milliseconds)
    {
        await using var store = await _table.OpenAsync();
        _wire.Instead = _ =>
        {
            var answer = Wire.Answer(status, ServiceAnswers.Error(code, "Later."));
            answer.Headers.TryAddWithoutValidation(header, value);
            return answer;
        };

        var write = await store.WriteAsync(store.NewWrite("key", Stamp.Absent), Part("", "x"));
        var read = await store.ReadAsync("key");

        var expected = milliseconds is { } wait ? TimeSpan.FromMilliseconds(wait) : default(TimeSpan?);
        Assert.Equal((expected, expected), (write.RetryAfter, read.RetryAfter));
        Assert.Equal(status == 500 ? ReadOutcomeKind.Unknown : ReadOutcomeKind.Overloaded, read.Kind);
    }

    /// <summary>The time-out of an operation has an unknown outcome. For the pacing law it counts as overload.</summary>
    [Fact]
    public void Law_takes_an_unknown_outcome_as_it_takes_overload()
    {
        Assert.Equal(IntervalAfter(StoreRequestOutcome.Overloaded), IntervalAfter(StoreRequestOutcome.Unknown));
        Assert.NotEqual(IntervalAfter(StoreRequestOutcome.Answered), IntervalAfter(StoreRequestOutcome.Unknown));

        static TimeSpan IntervalAfter(StoreRequestOutcome outcome)
        {
            var law = new PaperLaw(new PaperLawParameters());
            for (var i = 1; i <= 200; i++)
            {
                law.RequestAnswered(new StoreRequest
                {
                    Kind = StoreRequestKind.Write,
                    Operations = 10,
                    Bytes = 1_000,
                    SentAt = TimeSpan.FromMilliseconds(i * 50),
                    AnsweredAt = TimeSpan.FromMilliseconds((i * 50) + 20),
                    Outcome = outcome,
                    Interval = TimeSpan.FromMilliseconds(50),
                });
            }

            return law.Interval;
        }
    }

    [Fact]
    public async Task Key_that_the_service_refuses_does_not_stop_the_others()
    {
        await using var store = await _table.OpenAsync();
        var refusals = 1;
        _wire.Instead = request => Wire.IsTransaction(request) && refusals-- > 0
            ? Wire.Answer(202, ServiceAnswers.ChangeSetError("400 Bad Request", ServiceAnswers.Error("InvalidInput", "1:One of the request inputs is not valid.")), ServiceAnswers.MultipartType)
            : null;
        var batch = new WriteBatch();
        foreach (var key in store.KeysTogether(3))
            store.Add(batch, store.NewWrite(key, Stamp.Absent), Part("", "x"));

        await store.WriteAsync(batch);

        Assert.Equal(
            [WriteOutcomeKind.Committed, WriteOutcomeKind.Refused, WriteOutcomeKind.Committed],
            Enumerable.Range(0, 3).Select(i => batch.OutcomeOf(i).Kind));
    }

    [Fact]
    public async Task Lost_answer_is_unknown_and_the_repetition_is_settled_with_few_requests()
    {
        await using var store = await _table.OpenAsync();
        var batch = new WriteBatch();
        foreach (var key in store.KeysTogether(100))
            store.Add(batch, store.NewWrite(key, Stamp.Absent), Part("", "x"));
        _wire.After = request => Wire.IsTransaction(request) ? throw new HttpIOException(HttpRequestError.ResponseEnded) : Task.CompletedTask;
        await store.WriteAsync(batch);
        Assert.All(Enumerable.Range(0, 100), i => Assert.Equal(WriteOutcomeKind.Unknown, batch.OutcomeOf(i).Kind));
        _wire.After = null;
        _wire.ResetCounts();

        await store.WriteAsync(batch);

        Assert.All(Enumerable.Range(0, 100), i => Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind));
        Assert.Equal((1, 100), (_wire.Transactions, _wire.Queries));
    }

    [Fact]
    public async Task Conflicts_of_a_batch_cost_three_transactions_however_many_they_are()
    {
        await using var store = await _table.OpenAsync();
        var batch = new WriteBatch();
        foreach (var (i, key) in store.KeysTogether(100).Index())
        {
            if (i % 3 == 0)
                await store.PutAsync(key, Stamp.Absent, parts: [Part("", "someone else's")]);
            store.Add(batch, store.NewWrite(key, Stamp.Absent), Part("", "x"));
        }

        _wire.ResetCounts();
        await store.WriteAsync(batch);

        Assert.All(Enumerable.Range(0, 100), i => Assert.Equal(i % 3 == 0 ? WriteOutcomeKind.Conflict : WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind));
        Assert.Equal((3, 100), (_wire.Transactions, _wire.Queries));
    }

    [Fact]
    public async Task Header_that_can_not_be_read_after_a_failed_condition_leaves_its_key_unknown_and_the_others_committed()
    {
        await using var store = await _table.OpenAsync();
        var keys = store.KeysTogether(2);
        await store.PutAsync(keys[0], Stamp.Absent, parts: [Part("", "someone else's")]);
        var batch = new WriteBatch();
        foreach (var key in keys)
            store.Add(batch, store.NewWrite(key, Stamp.Absent), Part("", "x"));
        _wire.Instead = request => Wire.IsTransaction(request) ? null : Wire.Answer(503, ServiceAnswers.Error("ServerBusy", "The server is busy."));

        await store.WriteAsync(batch);

        Assert.Equal((WriteOutcomeKind.Unknown, WriteOutcomeKind.Committed), (batch.OutcomeOf(0).Kind, batch.OutcomeOf(1).Kind));
    }

    [Fact]
    public async Task Parts_that_go_and_are_not_there_cost_one_look()
    {
        await using var store = await _table.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("there", "1"), Part("stays", "2")]);
        _wire.ResetCounts();

        await store.PutAsync("key", stamp, parts: [.. Enumerable.Range(0, 50).Select(i => NoPart($"{i}")), NoPart("there")]);

        Assert.Equal((2, 1), (_wire.Transactions, _wire.Queries));
        Assert.Equal("stays=2", Show(await store.ReadAsync("key")));
    }

    [Fact]
    public async Task No_key_is_in_an_address()
    {
        var addresses = new List<string>();
        _wire.After = request =>
        {
            lock (addresses)
                addresses.Add(request.RequestUri!.AbsolutePath);
            return Task.CompletedTask;
        };
        await using var store = await _table.OpenAsync();
        var stamp = await store.PutAsync("s3cr3t", Stamp.Absent, parts: [Part("", "x"), Part("s3cr3t", "x")]);
        await store.ClaimAsync("s3cr3t");
        await store.WriteAsync(store.NewWrite("s3cr3t", stamp));

        Assert.NotEmpty(addresses);
        Assert.All(addresses, address => Assert.DoesNotContain("s3cr3t", address, StringComparison.Ordinal));
    }

    public static TheoryData<Exception, StoreErrorKind> Losses { get; } = new()
    {
        { new HttpRequestException(HttpRequestError.ConnectionError, "refused", new SocketException((int)SocketError.ConnectionRefused)), StoreErrorKind.Unreachable },
        { new HttpRequestException(HttpRequestError.NameResolutionError, "no such name"), StoreErrorKind.Unreachable },
        { new HttpRequestException(HttpRequestError.SecureConnectionError, "no trust"), StoreErrorKind.Unreachable },
        { new HttpRequestException(HttpRequestError.ResponseEnded, "cut off"), StoreErrorKind.Unknown },
        { new HttpRequestException("sending", new IOException("reset", new SocketException((int)SocketError.ConnectionReset))), StoreErrorKind.Unknown },
        { new HttpRequestException("sending", new IOException("gone", new SocketException((int)SocketError.HostUnreachable))), StoreErrorKind.Unknown },
        { new HttpRequestException("sending", new SocketException((int)SocketError.ConnectionRefused)), StoreErrorKind.Unknown },
        { new IOException("reading", new HttpRequestException(HttpRequestError.ConnectionError, "refused")), StoreErrorKind.Unknown },
        { new InvalidOperationException("whatever"), StoreErrorKind.Unknown },
    };

    [Theory]
    [MemberData(nameof(Losses), DisableDiscoveryEnumeration = true)]
    public async Task Lost_connection_is_unknown_unless_there_never_was_one(Exception loss, StoreErrorKind expected)
    {
        await using var store = await _table.OpenAsync();
        _wire.Instead = _ => throw loss;

        var write = await store.WriteAsync(store.NewWrite("key", Stamp.Absent), Part("", "x"));

        Assert.Equal(expected, Assert.IsType<StoreException>(write.Error).Kind);
    }

    [Fact]
    public async Task Partition_that_does_not_answer_is_left_alone()
    {
        await using var store = await _table.OpenAsync();
        _table.Time.Advance(TimeSpan.FromSeconds(20)); // Twice the window of the circuit breaker.
        _wire.ResetCounts();
        _wire.Instead = _ => throw new HttpIOException(HttpRequestError.ResponseEnded);
        var kinds = new List<WriteOutcomeKind>();
        for (var i = 0; i < 10; i++)
            kinds.Add((await store.WriteAsync(store.NewWrite("key", Stamp.Absent), Part("", "x"))).Kind);

        Assert.Equal(WriteOutcomeKind.Unknown, kinds[0]);
        Assert.Equal(WriteOutcomeKind.Unreachable, kinds[^1]);
        Assert.True(_wire.Transactions < 10);
    }
}
