using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Stout.Documents;
using Stout.Storage;

namespace Stout.AspNetCore.Tests;

/// <summary>The status, type and delay of each exception of Stout.</summary>
public sealed class StoutProblemTests
{
    private const string Secret = "hunter2";
    private static readonly PartitionKey Key = new("notes/" + Secret);

    private static readonly Dictionary<string, (Exception Error, int Status, string Type, double? RetryAfter)> Cases = new()
    {
        ["key too long"] = (Thrown(() => _ = new PartitionKey(new string('x', 5_000))), 400, StoutProblemTypes.InvalidKey, null),
        ["empty key"] = (Thrown(() => _ = new PartitionKey("")), 400, StoutProblemTypes.InvalidKey, null),
        ["request id"] = (Thrown(() => default(AppliedRequests).Find(Guid.NewGuid(), DateTimeOffset.UtcNow)), 400, StoutProblemTypes.InvalidRequestId, null),
        ["change too large"] = (new ChangeTooLargeException(Key, 11, 10, ChangeLimit.ValueBytes), 413, StoutProblemTypes.ChangeTooLarge, null),
        ["object too large"] = (new ObjectTooLargeException(Key, 11, 10, ObjectLimit.Parts), 413, StoutProblemTypes.ObjectTooLarge, null),
        ["conflict"] = (new ConflictException(Key), 409, StoutProblemTypes.Conflict, null),
        ["fenced"] = (new FencedException(Key, 7), 503, StoutProblemTypes.OtherOwner, 1),
        ["overload"] = (new OverloadException(TimeSpan.FromSeconds(3.2)), 503, StoutProblemTypes.Overloaded, 3.2),
        ["stopped"] = (new StoppedException(), 503, StoutProblemTypes.Stopping, 1),
        ["stopped before sending"] = (new NotAppliedException(Key, NotAppliedReason.Stopped), 503, StoutProblemTypes.Stopping, 1),
        ["unreachable"] = (new NotAppliedException(Key, NotAppliedReason.StoreUnreachable), 503, StoutProblemTypes.StoreUnavailable, 1),
        ["not sent in time"] = (new NotAppliedException(Key, NotAppliedReason.NotSentInTime), 503, StoutProblemTypes.StoreUnavailable, 1),
        ["busy"] = (new NotAppliedException(Key, NotAppliedReason.KeyBusy, Store(StoreErrorKind.Busy, 5)), 503, StoutProblemTypes.StoreUnavailable, 5),
        ["refused"] = (new NotAppliedException(Key, NotAppliedReason.StoreRefused, Store(StoreErrorKind.Refused)), 500, StoutProblemTypes.ServerFault, null),
        ["serializer threw"] = (new NotAppliedException(Key, NotAppliedReason.SerializationFailed), 500, StoutProblemTypes.ServerFault, null),
        ["serializer hung"] = (new NotAppliedException(Key, NotAppliedReason.SerializationTimedOut), 500, StoutProblemTypes.ServerFault, null),
        ["unknown"] = (new OutcomeUnknownException(Key, Store(StoreErrorKind.Unknown)), 504, StoutProblemTypes.OutcomeUnknown, null),
        ["closed after unknown"] = (new HandleClosedException(Key, new OutcomeUnknownException(Key)), 504, StoutProblemTypes.OutcomeUnknown, null),
        ["closed after refusal"] = (new HandleClosedException(Key, new NotAppliedException(Key, NotAppliedReason.StoreRefused)), 500, StoutProblemTypes.ServerFault, null),
        ["closed"] = (new HandleClosedException(Key), 503, StoutProblemTypes.StoreUnavailable, 1),
        ["not read in time"] = (new FillFailedException(Key, Store(StoreErrorKind.Unreachable)), 503, StoutProblemTypes.StoreUnavailable, 1),
        ["read without answer"] = (new FillFailedException(Key, Store(StoreErrorKind.Unknown)), 503, StoutProblemTypes.StoreUnavailable, 1),
        ["read of a missing table"] = (new FillFailedException(Key, Store(StoreErrorKind.LayoutMismatch)), 500, StoutProblemTypes.ServerFault, null),
        ["read with bad credentials"] = (new FillFailedException(Key, Store(StoreErrorKind.Refused)), 500, StoutProblemTypes.ServerFault, null),
        ["read of a mismatch"] = (new FillFailedException(Key, Store(StoreErrorKind.KeyMismatch)), 500, StoutProblemTypes.ServerFault, null),
        ["read that was left"] = (new FillFailedException(Key, new OperationCanceledException()), 503, StoutProblemTypes.StoreUnavailable, 1),
        ["read whose callback threw"] = (new FillFailedException(Key, new JsonException(Secret)), 500, StoutProblemTypes.ServerFault, null),
        ["unconfirmed"] = (new UnconfirmedException(Key, Store(StoreErrorKind.Overloaded, 2)), 503, StoutProblemTypes.StoreUnavailable, 2),
        ["store full"] = (Store(StoreErrorKind.Full), 500, StoutProblemTypes.ServerFault, null),
        ["store damaged"] = (Store(StoreErrorKind.Corrupt), 500, StoutProblemTypes.ServerFault, null),
        ["store locked"] = (Store(StoreErrorKind.Locked), 503, StoutProblemTypes.StoreUnavailable, 1),
        ["option"] = (new InvalidOptionException("Path", Secret), 500, StoutProblemTypes.ServerFault, null),
    };

    public static TheoryData<string> Names => [.. Cases.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void Exception_has_its_answer_without_a_key_a_value_or_a_message_of_the_store(string name)
    {
        var (error, status, type, retryAfter) = Cases[name];
        var problem = StoutProblem.Of(error, HttpMethods.Put)!;
        Assert.Equal((status, type, retryAfter), (problem.Details.Status!.Value, problem.Details.Type!, problem.RetryAfter?.TotalSeconds));
        Assert.DoesNotContain(Secret, JsonSerializer.Serialize(problem.Details), StringComparison.Ordinal);
    }

    [Fact]
    public void Only_a_failure_that_passes_by_itself_is_to_be_repeated_after_a_time() =>
        Assert.All(Cases.Values, static one => Assert.Equal(one.Status == 503, one.RetryAfter is not null));

    [Fact]
    public void Every_exception_of_the_library_has_a_case()
    {
        var known = Cases.Values.Select(static one => one.Error.GetType()).Append(typeof(PartSerializationException)).Append(typeof(InvalidCollectionException)).ToHashSet();
        var types = typeof(StoutException).Assembly.GetExportedTypes().Where(static type => type.IsAssignableTo(typeof(StoutException)) && !type.IsAbstract);
        Assert.All(types, type => Assert.Contains(type, known));
    }

    [Fact]
    public void Every_reason_and_every_kind_of_error_has_an_answer()
    {
        Assert.All(Enum.GetValues<NotAppliedReason>(), static reason => Assert.NotNull(StoutProblem.Of(new NotAppliedException(Key, reason), HttpMethods.Put)));
        Assert.All(Enum.GetValues<StoreErrorKind>(), static kind => Assert.NotNull(StoutProblem.Of(Store(kind), HttpMethods.Put)));
    }

    [Theory]
    [InlineData("GET", 500)]
    [InlineData("HEAD", 500)]
    [InlineData("PUT", 413)]
    public void Stored_object_that_is_too_large_is_no_fault_of_its_reader(string method, int status) =>
        Assert.Equal(status, StoutProblem.Of(new ObjectTooLargeException(Key, 11, 10, ObjectLimit.Bytes), method)!.Details.Status);

    [Fact]
    public void Sizes_are_told()
    {
        var sizes = StoutProblem.Of(new ChangeTooLargeException(Key, 11, 10, ChangeLimit.ValueBytes), HttpMethods.Put)!.Details.Extensions;
        Assert.Equal([("limit", 10L), ("size", 11L), ("unit", "ValueBytes")], sizes.OrderBy(static one => one.Key).Select(static one => (one.Key, one.Value!)));
    }

    [Fact]
    public void Other_exceptions_have_no_answer_of_Stout() => Assert.Null(StoutProblem.Of(new InvalidOperationException(), HttpMethods.Put));

    private static StoreException Store(StoreErrorKind kind, double? retryAfter = null) =>
        new(kind, $"Host=db;Password={Secret}") { RetryAfter = retryAfter is { } seconds ? TimeSpan.FromSeconds(seconds) : null };

    private static Exception Thrown(Action action) => Record.Exception(action)!;
}
