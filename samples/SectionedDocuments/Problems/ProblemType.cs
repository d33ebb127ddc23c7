using Microsoft.AspNetCore.Mvc;
using Stout.AspNetCore;

namespace SectionedDocuments.Problems;

/// <summary>
/// A kind of error as clients see it (RFC 9457). The type is stable: clients may switch on it. Errors of the store have the types of
/// <see cref="StoutProblemTypes"/>.
/// </summary>
internal sealed record ProblemType(string Type, int Status, string Title)
{
    private const string Prefix = "urn:problem-type:sectioned-documents:";

    public static readonly ProblemType InvalidName = new(Prefix + "invalid-name", 400, "A document id or section name that can't be");
    public static readonly ProblemType BodyNotUtf8 = new(Prefix + "body-not-utf8", 400, "A text that is not UTF-8");
    public static readonly ProblemType BadRequest = new(Prefix + "bad-request", 400, "A request that can't be understood");
    public static readonly ProblemType DocumentNotFound = new(Prefix + "document-not-found", 404, "There is no such document");
    public static readonly ProblemType SectionNotFound = new(Prefix + "section-not-found", 404, "There is no such section");
    public static readonly ProblemType UnknownRoute = new(Prefix + "unknown-route", 404, "There is nothing here");
    public static readonly ProblemType MethodNotAllowed = new(Prefix + "method-not-allowed", 405, "That can't be done here");
    public static readonly ProblemType BodyTooLarge = new(Prefix + "body-too-large", 413, "More than the service takes in one request");
    public static readonly ProblemType ChangeTooLarge = new(StoutProblemTypes.ChangeTooLarge, 413, "More than the store can commit at once");
    public static readonly ProblemType UnsupportedCharset = new(Prefix + "unsupported-charset", 415, "A text in another encoding than UTF-8");
    public static readonly ProblemType TooManyRequests = new(Prefix + "too-many-requests", 429, "More requests than one client may make");
    public static readonly ProblemType InternalError = new(Prefix + "internal-error", 500, "A fault of the service");

    /// <summary>The answer to a request that has changed nothing.</summary>
    public static readonly ProblemType Overloaded = new(StoutProblemTypes.Overloaded, 503, "Too much is waiting to become durable");

    /// <summary>The answer to a request that has changed nothing.</summary>
    public static readonly ProblemType Stopping = new(StoutProblemTypes.Stopping, 503, "The service is stopping");

    /// <summary>The answer to a request that has changed nothing.</summary>
    public static readonly ProblemType StoreUnavailable = new(StoutProblemTypes.StoreUnavailable, 503, "The store can't be used");

    /// <summary>The answer to a request that has changed nothing.</summary>
    public static readonly ProblemType OtherOwner = new(StoutProblemTypes.OtherOwner, 503, "Another server owns the document");

    /// <summary>The answer to a request whose change may or may not have been made.</summary>
    public static readonly ProblemType OutcomeUnknown = new(StoutProblemTypes.OutcomeUnknown, 504, "It is unknown whether the change was applied");

    public ProblemDetails Details(string? detail = null) => new()
    {
        Type = Type,
        Status = Status,
        Title = Title,
        Detail = detail,
    };

    public IResult Result() => Results.Problem(Details());
}
