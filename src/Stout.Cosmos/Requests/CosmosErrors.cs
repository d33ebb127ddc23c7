using System.Globalization;
using System.Net;
using Microsoft.Azure.Cosmos;
using Stout.Storage;

namespace Stout.Cosmos.Requests;

/// <summary>Classifies the service's status codes and the SDK's exceptions.</summary>
/// <remarks>
/// The SDK's exceptions never become inner exceptions: their texts contain addresses of items, and so keys. The activity id, which Microsoft's
/// support needs, goes into the message.
/// </remarks>
internal static class CosmosErrors
{
    /// <summary>The sub-status of 404 for a missing container or database.</summary>
    public const int OwnerMissing = 1003;

    private const int PartitionFull = 1014;
    private const int WriteForbidden = 3;
    private const int AccountMoving = 1008;
    private const string SubStatusHeader = "x-ms-substatus";
    private const string RetryAfterHeader = "x-ms-retry-after-ms";

    /// <summary>Classifies a response that is neither a success nor an answer about an item's state.</summary>
    public static StoreException Classify(ResponseMessage response)
    {
        // The SDK offers no other way to the exception behind a response.
        try
        {
            response.EnsureSuccessStatusCode();
        }
        catch (Exception error)
        {
            return Classify(error, response.Headers);
        }

        return new StoreException(StoreErrorKind.Unknown, "The store's answer has no meaning.");
    }

    public static StoreException Classify(TransactionalBatchResponse response) =>
        Classify(response.StatusCode, SubStatusOf(response.Headers), response.RetryAfter ?? RetryAfterOf(response.Headers), response.ActivityId);

    public static StoreException Classify(Exception error) => Classify(error, null);

    public static StoreException Classify(HttpStatusCode status, int subStatus = 0, TimeSpan? retryAfter = null, string? activity = null)
    {
        var (kind, meaning) = Meaning(status, subStatus);
        var code = subStatus == 0 ? FormattableString.Invariant($"{(int)status}") : FormattableString.Invariant($"{(int)status}/{subStatus}");
        return new StoreException(kind, $"{meaning} (status {code}, activity {activity ?? "unknown"}).")
        {
            RetryAfter = kind == StoreErrorKind.Overloaded && retryAfter > TimeSpan.Zero ? retryAfter : null,

            // Credentials, permissions and a missing container affect every key.
            Scope = kind == StoreErrorKind.LayoutMismatch || (kind == StoreErrorKind.Refused && status is (HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden))
                ? StoreErrorScope.Partition : StoreErrorScope.Request,
        };
    }

    /// <summary>The sub-status of an answer, or 0.</summary>
    public static int SubStatusOf(Headers? headers) =>
        headers is not null && headers.TryGetValue(SubStatusHeader, out var text)
        && int.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var subStatus) ? subStatus : 0;

    private static StoreException Classify(Exception error, Headers? headers)
    {
        if (IsOfCredential(error))
            return new StoreException(StoreErrorKind.Unreachable, "The credential gives no token, and nothing was sent.");
        if (ConnectErrors.PrecedesRequest(error))
            return new StoreException(StoreErrorKind.Unreachable, "The store can't be connected to.");
        return error is CosmosException cosmos
            ? Classify(
                cosmos.StatusCode,
                cosmos.SubStatusCode != 0 ? cosmos.SubStatusCode : SubStatusOf(headers),
                cosmos.RetryAfter ?? RetryAfterOf(headers),
                cosmos.ActivityId)
            : new StoreException(StoreErrorKind.Unknown, $"The request broke off ({error.GetType().Name}).");
    }

    // 449 means "safe to retry", which does not imply "not applied". The SDK also reports lost connections as 408, 410 and 503. So these outcomes are
    // unknown.
    private static (StoreErrorKind Kind, string Meaning) Meaning(HttpStatusCode status, int subStatus) => (status, subStatus) switch
    {
        (HttpStatusCode.TooManyRequests, _) => (StoreErrorKind.Overloaded, "The request units are used up"),
        (HttpStatusCode.Forbidden, PartitionFull) => (StoreErrorKind.Full, "The logical partition is full"),
        (HttpStatusCode.Forbidden, WriteForbidden or AccountMoving) => (StoreErrorKind.Unreachable, "The region takes no writes at the moment"),
        (HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden, _) => (StoreErrorKind.Refused, "The store refuses these credentials, or what they ask for"),
        (HttpStatusCode.NotFound, OwnerMissing or 0) => (StoreErrorKind.LayoutMismatch, "The database or the container is missing"),
        (HttpStatusCode.RequestEntityTooLarge, _) => (StoreErrorKind.Refused, "The request is too large for the store"),
        (HttpStatusCode.BadRequest or HttpStatusCode.MethodNotAllowed, _) => (StoreErrorKind.Refused, "The store does not take such a request"),
        _ => (StoreErrorKind.Unknown, "The store gives no certain answer"),
    };

    private static TimeSpan? RetryAfterOf(Headers? headers) =>
        headers is not null && headers.TryGetValue(RetryAfterHeader, out var text)
        && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var milliseconds) ? TimeSpan.FromMilliseconds(milliseconds) : null;

    // An error of several attempts is one of the credential only if all are.
    private static bool IsOfCredential(Exception? error) => error switch
    {
        null => false,
        CredentialException => true,
        AggregateException attempts => attempts.InnerExceptions.Count > 0 && attempts.InnerExceptions.All(IsOfCredential),
        _ => IsOfCredential(error.InnerException),
    };
}
