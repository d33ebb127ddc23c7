using System.Globalization;
using Azure;
using Stout.Storage;

namespace Stout.AzureTables;

/// <summary>Classifies the service's refusals and failed requests. A request that may have been applied is <see cref="StoreErrorKind.Unknown"/>.</summary>
/// <remarks>An answer never becomes an inner exception, since its text may quote a key or a value.</remarks>
internal static class AzureTablesErrors
{
    /// <summary>Classifies an exception of the client.</summary>
    public static StoreException Classify(Exception error)
    {
        if (error is RequestFailedException { Status: not 0 } answer)
            return Classify(answer);
        if (CredentialFailure(error) is { } known)
            return known;
        if (ConnectErrors.PrecedesRequest(error))
            return new StoreException(StoreErrorKind.Unreachable, "The store can't be reached.", error);
        return new StoreException(StoreErrorKind.Unknown, "The connection was lost before the store had answered.", error);
    }

    /// <summary>Classifies an answer that is neither a success nor a failed condition.</summary>
    public static StoreException Classify(RequestFailedException answer) => Classify(answer.Status, answer.ErrorCode, RetryAfter(answer.GetRawResponse()));

    /// <inheritdoc cref="Classify(RequestFailedException)"/>
    /// <remarks>
    /// OperationTimedOut and 408 also mean overload, but the operation may have been applied. So the outcome is unknown, and the
    /// requested delay is kept.
    /// </remarks>
    public static StoreException Classify(int status, string? code, TimeSpan? retryAfter = null)
    {
        var (kind, what) = (status, code) switch
        {
            (429, _) or (503, "ServerBusy" or "TooManyRequests") => (StoreErrorKind.Overloaded, "The store is overloaded"),
            (408, _) or (_, "OperationTimedOut") => (StoreErrorKind.Unknown, "The store ran out of time"),
            ( >= 500, _) => (StoreErrorKind.Unknown, "The store failed"),
            (401 or 403, _) => (StoreErrorKind.Refused, "The credentials are not accepted, or don't allow it"),
            (404, "TableNotFound") => (StoreErrorKind.LayoutMismatch, "The table is not there"),
            (409, "TableBeingDeleted") => (StoreErrorKind.Refused, "The table is being deleted"),
            (409, "AccountBeingCreated") => (StoreErrorKind.Overloaded, "The account is being made"),
            _ => (StoreErrorKind.Refused, "The store refuses the request"),
        };

        // Credentials, permissions and a missing table affect every key.
        var scope = kind == StoreErrorKind.LayoutMismatch || status is 401 or 403 ? StoreErrorScope.Partition : StoreErrorScope.Request;
        return new StoreException(kind, $"{what} ({status}{(IsCode(code) ? " " + code : "")}).") { RetryAfter = retryAfter, Scope = scope };
    }

    /// <summary>The failure of the credential, without which no request is sent. An error of several attempts is such a failure only if all are.</summary>
    private static StoreException? CredentialFailure(Exception? error) => error switch
    {
        null => null,
        StoreException known => known,
        AggregateException attempts => attempts.InnerExceptions.All(static attempt => CredentialFailure(attempt) is not null) ? CredentialFailure(error.InnerException) : null,
        _ => CredentialFailure(error.InnerException),
    };

    /// <summary>The error of a write of unknown outcome that may have been applied and then overwritten.</summary>
    public static StoreException Overwritten() =>
        new(StoreErrorKind.Unknown, "The key was written by another client after an attempt of unknown outcome.");

    /// <summary>The error of an unreadable answer.</summary>
    public static StoreException Unreadable() => new(StoreErrorKind.Unknown, "The store's answer can't be read.");

    /// <summary>The error of a row that violates the layout.</summary>
    public static StoreException Damaged(string what) => new(StoreErrorKind.Corrupt, $"{what} is damaged.");

    /// <summary>Whether a row did not match its operation's condition: it was present, absent, or had another ETag.</summary>
    public static bool IsFailedCondition(int status, string? code) => (status, code) is
        (412, _) or (409, "EntityAlreadyExists") or (404, "ResourceNotFound" or "EntityNotFound" or "EntityDoesNotExist");

    // External text goes into messages only if it is a plain word.
    private static bool IsCode(string? code) => code is { Length: > 0 and <= 64 } && code.All(char.IsAsciiLetter);

    /// <summary>The delay that an answer asks for, or null.</summary>
    public static TimeSpan? RetryAfter(Response? answer)
    {
        if (answer is null)
            return null;
        if (answer.Headers.TryGetValue("x-ms-retry-after-ms", out var text) && uint.TryParse(text, CultureInfo.InvariantCulture, out var milliseconds))
            return TimeSpan.FromMilliseconds(milliseconds);
        return answer.Headers.TryGetValue("Retry-After", out text) && uint.TryParse(text, CultureInfo.InvariantCulture, out var seconds)
            ? TimeSpan.FromSeconds(seconds)
            : null;
    }
}
