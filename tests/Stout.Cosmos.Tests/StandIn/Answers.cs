using System.Globalization;
using System.Net;
using Microsoft.Azure.Cosmos;

namespace Stout.Cosmos.Tests.StandIn;

/// <summary>A scripted answer to a request. The request is carried out before the answer, or not at all.</summary>
/// <param name="Status">The status code: of the request, or of the failed operation of a batch if <paramref name="Operation"/> names one.</param>
/// <param name="SubStatus">The sub-status, or 0.</param>
/// <param name="RetryAfter">The time after which the client should try again, or null.</param>
/// <param name="IsApplied">Whether the request is carried out nevertheless.</param>
/// <param name="Error">The exception that is thrown instead of any answer, or null.</param>
/// <param name="Operation">The operation of a batch that fails; the others get 424. −1: the request as a whole.</param>
internal sealed record Trouble(
    HttpStatusCode Status = HttpStatusCode.ServiceUnavailable, int SubStatus = 0, TimeSpan? RetryAfter = null, bool IsApplied = false,
    Exception? Error = null, int Operation = -1);

/// <summary>Makes answers of the SDK's types, with the content and headers that the service would send.</summary>
internal static class Answers
{
    /// <summary>The charge of each request, in request units.</summary>
    public const double Charge = 1.25;

    public static ResponseMessage Of(HttpStatusCode status, string? etag = null, byte[]? content = null)
    {
        var response = new ResponseMessage(status, null, null) { Content = content is null ? null : new MemoryStream(content) };
        response.Headers.Add("x-ms-request-charge", Charge.ToString(CultureInfo.InvariantCulture));
        if (etag is not null)
            response.Headers.Add("etag", etag);
        return response;
    }

    public static ResponseMessage Of(Trouble trouble)
    {
        var response = Of(trouble.Status);
        foreach (var (name, value) in HeadersOf(trouble))
            response.Headers.Add(name, value);
        return response;
    }

    public static IEnumerable<(string Name, string Value)> HeadersOf(Trouble trouble)
    {
        if (trouble.SubStatus != 0)
            yield return ("x-ms-substatus", trouble.SubStatus.ToString(CultureInfo.InvariantCulture));
        if (trouble.RetryAfter is { } time)
            yield return ("x-ms-retry-after-ms", time.TotalMilliseconds.ToString(CultureInfo.InvariantCulture));
    }
}

/// <summary>The answer to a batch.</summary>
internal sealed class BatchAnswer : TransactionalBatchResponse
{
    private readonly IReadOnlyList<(HttpStatusCode Status, string? ETag)> _operations;
    private readonly Trouble? _trouble;
    private readonly HttpStatusCode _status;
    private readonly Headers _headers = new();

    private BatchAnswer(HttpStatusCode status, IReadOnlyList<(HttpStatusCode Status, string? ETag)> operations, Trouble? trouble = null)
    {
        (_status, _operations, _trouble) = (status, operations, trouble);
        Headers.Add("x-ms-request-charge", Answers.Charge.ToString(CultureInfo.InvariantCulture));
        foreach (var (name, value) in trouble is null ? [] : Answers.HeadersOf(trouble))
            Headers.Add(name, value);
    }

    public override HttpStatusCode StatusCode => _status;

    public override Headers Headers => _headers;

    public override TimeSpan? RetryAfter => _trouble?.RetryAfter;

    public override string ActivityId => "0";

    public override bool IsSuccessStatusCode => (int)StatusCode is >= 200 and < 300;

    public override int Count => _operations.Count;

    public override TransactionalBatchOperationResult this[int index] => new OperationAnswer(_operations[index].Status, _operations[index].ETag);

    public static BatchAnswer Committed(IReadOnlyList<string> etags) => new(HttpStatusCode.OK, [.. etags.Select(etag => (HttpStatusCode.OK, (string?)etag))]);

    /// <summary>The documented answer to a failed batch: the batch has the status of its failed operation, and all other operations have 424.</summary>
    public static BatchAnswer FailedAt(int operation, HttpStatusCode status, int operations, Trouble? trouble = null) => new(
        status,
        [.. Enumerable.Range(0, operations).Select(i => (i == operation ? status : HttpStatusCode.FailedDependency, (string?)null))],
        trouble);

    /// <summary>The SDK's answer if the request as a whole has failed: every operation has the status of the request.</summary>
    public static BatchAnswer Failed(Trouble trouble, int operations) =>
        new(trouble.Status, [.. Enumerable.Repeat((trouble.Status, (string?)null), operations)], trouble);

    private sealed class OperationAnswer(HttpStatusCode status, string? etag) : TransactionalBatchOperationResult
    {
        public override HttpStatusCode StatusCode => status;

        public override string ETag => etag!;
    }
}
