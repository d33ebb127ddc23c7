using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Stout.Documents;
using Stout.Storage;

namespace Stout.AspNetCore;

/// <summary>
/// The answer to a request that failed in Stout. It consists of fixed texts and of sizes, so it contains no key, no value and no error message of the store.
/// </summary>
public sealed class StoutProblem
{
    private static readonly TimeSpan DefaultRetryAfter = TimeSpan.FromSeconds(1);

    private StoutProblem(string type, int status, string title, string detail, TimeSpan? retryAfter = null)
    {
        Details = new ProblemDetails { Type = type, Status = status, Title = title, Detail = detail };
        RetryAfter = retryAfter;
    }

    /// <summary>The problem's type (<see cref="StoutProblemTypes"/>), status, texts, and for some types sizes.</summary>
    public ProblemDetails Details { get; }

    /// <summary>The time after which the request may be repeated; null if it should not be repeated by itself.</summary>
    public TimeSpan? RetryAfter { get; }

    private static StoutProblem Overloaded(TimeSpan retryAfter) => new(
        StoutProblemTypes.Overloaded, StatusCodes.Status503ServiceUnavailable, "The service is overloaded", "Too many changes wait to become durable. Nothing was changed.", retryAfter);

    private static StoutProblem Stopping => new(
        StoutProblemTypes.Stopping, StatusCodes.Status503ServiceUnavailable, "The service is stopping", "This server takes no more requests. Nothing was changed.", DefaultRetryAfter);

    private static StoutProblem OutcomeUnknown => new(
        StoutProblemTypes.OutcomeUnknown,
        StatusCodes.Status504GatewayTimeout,
        "It is unknown whether the change was made",
        "The store gave no certain answer. The change may have been made, and may still be made. Repeat the request only if a repetition does no harm.");

    private static StoutProblem ServerFault => new(
        StoutProblemTypes.ServerFault, StatusCodes.Status500InternalServerError, "The request failed by a fault of the service", "The request would fail again.");

    /// <summary>The problem for an exception of Stout; null for any other exception.</summary>
    /// <param name="error">The exception.</param>
    /// <param name="method">The request's method. A stored object that is too large to be read is a fault of the service, not of a GET.</param>
    public static StoutProblem? Of(Exception error, string method) => error switch
    {
        InvalidKeyException key => With(
            new(StoutProblemTypes.InvalidKey, StatusCodes.Status400BadRequest, "The id is invalid", "An id is well-formed text of 1 character or more, within the limit in bytes."),
            key.Reason == InvalidKeyReason.TooLong ? [("size", key.Length), ("limit", key.Limit)] : []),
        InvalidRequestIdException => new(
            StoutProblemTypes.InvalidRequestId, StatusCodes.Status400BadRequest, "The id of the request is invalid", "It has to be a UUID of version 7, with the present time."),
        ChangeTooLargeException change => With(
            new(StoutProblemTypes.ChangeTooLarge, StatusCodes.Status413PayloadTooLarge, "The change is too large", "The store can't commit as much at once. Nothing was changed."),
            ("size", change.Size), ("limit", change.Limit), ("unit", change.Kind.ToString())),
        ObjectTooLargeException when HttpMethods.IsGet(method) || HttpMethods.IsHead(method) => ServerFault,
        ObjectTooLargeException large => With(
            new(StoutProblemTypes.ObjectTooLarge, StatusCodes.Status413PayloadTooLarge, "The object is too large", "It is, or would become, larger than the service keeps. Nothing was changed."),
            ("size", large.Size), ("limit", large.Limit), ("unit", large.Kind.ToString())),
        NotAppliedException change => OfReason(change),
        OverloadException overload => Overloaded(overload.RetryAfter),
        StoppedException => Stopping,
        OutcomeUnknownException => OutcomeUnknown,
        FillFailedException or UnconfirmedException => OfCause(error.InnerException),
        HandleClosedException { InnerException: StoutException cause } => Of(cause, method),
        HandleClosedException => Unavailable(null),
        StoreException store => OfCause(store),
        StoutException => ServerFault,
        _ => null,
    };

    private static StoutProblem OfReason(NotAppliedException change) => change.Reason switch
    {
        NotAppliedReason.StoreUnreachable or NotAppliedReason.NotSentInTime or NotAppliedReason.KeyBusy or NotAppliedReason.NotAnsweredInTime => Unavailable(change.InnerException as StoreException),
        NotAppliedReason.Stopped => Stopping,
        NotAppliedReason.Fenced => new(
            StoutProblemTypes.OtherOwner, StatusCodes.Status503ServiceUnavailable, "Another server owns the object", "Another server answers for the object. Nothing was changed.", DefaultRetryAfter),
        NotAppliedReason.Conflict => new(
            StoutProblemTypes.Conflict, StatusCodes.Status409Conflict, "The object was changed meanwhile", "Another process has changed the object. Nothing was changed; repeat the request."),
        _ => ServerFault,
    };

    /// <summary>The problem for a read that failed. The store's error tells whether a later attempt can succeed.</summary>
    private static StoutProblem OfCause(Exception? cause) => cause switch
    {
        StoreException
        {
            Kind: StoreErrorKind.Unreachable or StoreErrorKind.Overloaded or StoreErrorKind.Busy or StoreErrorKind.LimitExceeded or StoreErrorKind.Unknown or StoreErrorKind.Locked,
        }
        store => Unavailable(store),
        TimeoutException => Unavailable(null), // The time limit for an answer, or for a callback.
        OperationCanceledException => Unavailable(null), // A read that all its callers had left.
        _ => ServerFault,
    };

    private static StoutProblem Unavailable(StoreException? store) => new(
        StoutProblemTypes.StoreUnavailable, StatusCodes.Status503ServiceUnavailable, "The store is unavailable", "The store can't be used at present. Nothing was changed.", store?.RetryAfter ?? DefaultRetryAfter);

    private static StoutProblem With(StoutProblem problem, params ReadOnlySpan<(string Name, object Value)> sizes)
    {
        foreach (var (name, value) in sizes)
            problem.Details.Extensions[name] = value;
        return problem;
    }
}
