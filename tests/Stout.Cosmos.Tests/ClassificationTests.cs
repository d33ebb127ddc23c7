using Microsoft.Extensions.Time.Testing;
using System.Net;
using Stout.Cosmos.Requests;
using Stout.Cosmos.Tests.StandIn;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Cosmos.Tests;

/// <summary>The outcomes of writes for the service's answers, alone and in a batch.</summary>
public sealed class ClassificationTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly StandInStore _store;

    public ClassificationTests() => _store = new StandInStore(_time);

    public static TheoryData<int, int, StoreErrorKind> Statuses { get; } = new()
    {
        { 429, 3200, StoreErrorKind.Overloaded },
        { 408, 0, StoreErrorKind.Unknown },
        { 410, 1002, StoreErrorKind.Unknown },
        { 449, 0, StoreErrorKind.Unknown },
        { 500, 0, StoreErrorKind.Unknown },
        { 503, 20003, StoreErrorKind.Unknown },
        { 403, 3, StoreErrorKind.Unreachable },
        { 403, 1008, StoreErrorKind.Unreachable },
        { 403, 1014, StoreErrorKind.Full },
        { 403, 0, StoreErrorKind.Refused },
        { 401, 0, StoreErrorKind.Refused },
        { 404, 1003, StoreErrorKind.LayoutMismatch },
        { 400, 0, StoreErrorKind.Refused },
        { 418, 0, StoreErrorKind.Unknown },
    };

    [Theory]
    [MemberData(nameof(Statuses))]
    public async Task Status_of_a_point_operation_is_told_apart(int status, int subStatus, StoreErrorKind kind) =>
        await CheckAsync(new Trouble((HttpStatusCode)status, subStatus), kind, Part("", "x"));

    [Theory]
    [MemberData(nameof(Statuses))]
    public async Task Status_of_a_batch_is_told_apart(int status, int subStatus, StoreErrorKind kind) =>
        await CheckAsync(new Trouble((HttpStatusCode)status, subStatus), kind, Part("a", "x"));

    [Theory]
    [InlineData(429, 3200, StoreErrorKind.Overloaded)]
    [InlineData(449, 0, StoreErrorKind.Unknown)]
    [InlineData(403, 1014, StoreErrorKind.Full)]
    [InlineData(413, 0, StoreErrorKind.Refused)]
    public async Task Status_of_one_operation_of_a_batch_is_told_apart(int status, int subStatus, StoreErrorKind kind) =>
        await CheckAsync(new Trouble((HttpStatusCode)status, subStatus, Operation: 1), kind, Part("a", "x"));

    [Theory]
    [InlineData("")]
    [InlineData("a")]
    public async Task Overload_is_reported_with_the_time_that_the_store_asks_for_and_after_one_request(string subKey)
    {
        await using var store = await OpenAsync(new Trouble(HttpStatusCode.TooManyRequests, 3200, TimeSpan.FromMilliseconds(1_234)));

        var outcome = await store.WriteAsync(store.NewWrite("key", Stamp.Absent), Part(subKey, "x"));

        Assert.Equal((WriteOutcomeKind.Overloaded, TimeSpan.FromMilliseconds(1_234)), (outcome.Kind, outcome.RetryAfter));
        Assert.Single(_store.Requests);
    }

    [Fact]
    public async Task Read_of_an_overloaded_store_is_overloaded_too()
    {
        await using var store = await OpenAsync(new Trouble(HttpStatusCode.TooManyRequests, 3200, TimeSpan.FromMilliseconds(5)));

        var outcome = await store.ReadAsync("key");

        Assert.Equal((ReadOutcomeKind.Overloaded, TimeSpan.FromMilliseconds(5)), (outcome.Kind, outcome.RetryAfter));
    }

    [Fact]
    public async Task Missing_container_is_not_taken_for_a_missing_key()
    {
        await using var store = await OpenAsync(new Trouble(HttpStatusCode.NotFound, 1003));

        Assert.Equal(ReadOutcomeKind.Refused, (await store.ReadAsync("key")).Kind);
    }

    [Theory]
    [InlineData(HttpRequestError.ConnectionError, StoreErrorKind.Unreachable)]
    [InlineData(HttpRequestError.NameResolutionError, StoreErrorKind.Unreachable)]
    [InlineData(HttpRequestError.SecureConnectionError, StoreErrorKind.Unreachable)]
    [InlineData(HttpRequestError.ResponseEnded, StoreErrorKind.Unknown)]
    [InlineData(HttpRequestError.Unknown, StoreErrorKind.Unknown)]
    public async Task Broken_connection_is_unreachable_only_if_nothing_can_have_been_sent(HttpRequestError error, StoreErrorKind kind) =>
        await CheckAsync(new Trouble(Error: new InvalidOperationException("s3cr3t", new HttpRequestException(error, "s3cr3t"))), kind, Part("", "x"));

    [Fact]
    public async Task Cause_of_a_broken_connection_does_not_tell_that_nothing_was_sent()
    {
        var unsent = new HttpRequestException(HttpRequestError.ConnectionError, "refused");
        Exception[] sent =
        [
            new IOException("reading", unsent), new HttpRequestException(HttpRequestError.ResponseEnded, "cut", unsent),
            new AggregateException(unsent, new HttpRequestException(HttpRequestError.ResponseEnded)), new AggregateException(new CredentialException(unsent), new TimeoutException()),
        ];
        foreach (var error in sent)
            await CheckAsync(new Trouble(Error: error), StoreErrorKind.Unknown, Part("", "x"));
        await CheckAsync(new Trouble(Error: new AggregateException(unsent, unsent)), StoreErrorKind.Unreachable, Part("", "x"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a")]
    public async Task Write_whose_answer_is_lost_is_unknown_and_committed_when_it_is_repeated(string subKey)
    {
        await using var store = await OpenAsync(new Trouble(Error: new HttpRequestException(HttpRequestError.ResponseEnded), IsApplied: true));
        var write = store.NewWrite("key", Stamp.Absent);
        Assert.Equal(WriteOutcomeKind.Unknown, (await store.WriteAsync(write, Part(subKey, "x"))).Kind);
        _store.OnRequest = null;

        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(write, Part(subKey, "x"))).Kind);
        Assert.Equal(subKey + "=x", Show(await store.ReadAsync("key")));
    }

    [Fact]
    public async Task Repeated_write_whose_settling_is_refused_stays_unknown_since_it_may_have_been_applied()
    {
        await using var store = await OpenAsync(null);
        var write = store.NewWrite("key", Stamp.Absent);
        await store.WriteAsync(write, Part("", "x"));
        _store.OnRequest = request => request.Kind == "read" ? new Trouble(HttpStatusCode.TooManyRequests, 3200) : null;

        var outcome = await store.WriteAsync(write, Part("", "x"));

        Assert.Equal(WriteOutcomeKind.Unknown, outcome.Kind);
        Assert.Equal(StoreErrorKind.Overloaded, Assert.IsType<StoreException>(outcome.Error).Kind);
    }

    [Fact]
    public async Task Damaged_header_that_a_repeated_write_finds_is_corrupt_for_good_and_not_unknown()
    {
        await using var store = await OpenAsync(null);
        var write = store.NewWrite("key", Stamp.Absent);
        await store.WriteAsync(write, Part("", "x"));
        _store.Damage("key", "s");

        var outcome = await store.WriteAsync(write, Part("", "x"));

        Assert.Equal((WriteOutcomeKind.Refused, StoreErrorKind.Corrupt), (outcome.Kind, Assert.IsType<StoreException>(outcome.Error).Kind));
    }

    [Theory]
    [InlineData(401, 0, StoreErrorScope.Partition)]
    [InlineData(403, 0, StoreErrorScope.Partition)]
    [InlineData(404, 1003, StoreErrorScope.Partition)]
    [InlineData(403, 1014, StoreErrorScope.Request)]
    [InlineData(400, 0, StoreErrorScope.Request)]
    [InlineData(413, 0, StoreErrorScope.Request)]
    public void Refusal_of_credentials_affects_every_key_and_that_of_a_request_its_keys_alone(int status, int subStatus, StoreErrorScope scope) =>
        Assert.Equal(scope, CosmosErrors.Classify((HttpStatusCode)status, subStatus).Scope);

    private async Task CheckAsync(Trouble trouble, StoreErrorKind kind, PartWrite part)
    {
        await using var store = await OpenAsync(trouble);

        var outcome = await store.WriteAsync(store.NewWrite("key", Stamp.Absent), part);

        Assert.Equal(kind, Assert.IsType<StoreException>(outcome.Error).Kind);
        Assert.Equal(WriteOutcome.Of(outcome.Error!).Kind, outcome.Kind);
        Assert.DoesNotContain("s3cr3t", $"{outcome.Error}", StringComparison.Ordinal);
        _store.OnRequest = null;
        Assert.True((await store.ReadAsync("key")).Version.IsAbsent);
    }

    private async Task<StoreClient> OpenAsync(Trouble? trouble)
    {
        var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        await store.Proxy.RestAsync();
        _store.Requests.Clear();
        _store.OnRequest = _ => trouble;
        return store;
    }
}
