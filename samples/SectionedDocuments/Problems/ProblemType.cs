using Microsoft.AspNetCore.Mvc;

namespace SectionedDocuments.Problems;

/// <summary>A kind of error as clients see it (RFC 9457). The type's name is stable: clients may switch on it.</summary>
internal sealed record ProblemType(string Name, int Status, string Title)
{
    public static readonly ProblemType InvalidName = new("invalid-name", 400, "A document id or section name that can't be");
    public static readonly ProblemType BodyNotUtf8 = new("body-not-utf8", 400, "A text that is not UTF-8");
    public static readonly ProblemType BadRequest = new("bad-request", 400, "A request that can't be understood");
    public static readonly ProblemType DocumentNotFound = new("document-not-found", 404, "There is no such document");
    public static readonly ProblemType SectionNotFound = new("section-not-found", 404, "There is no such section");
    public static readonly ProblemType UnknownRoute = new("unknown-route", 404, "There is nothing here");
    public static readonly ProblemType MethodNotAllowed = new("method-not-allowed", 405, "That can't be done here");
    public static readonly ProblemType BodyTooLarge = new("body-too-large", 413, "More than the service takes in one request");
    public static readonly ProblemType ChangeTooLarge = new("change-too-large", 413, "More than the store can commit at once");
    public static readonly ProblemType DocumentTooLarge = new("document-too-large", 413, "More than the service keeps in one document");
    public static readonly ProblemType UnsupportedCharset = new("unsupported-charset", 415, "A text in another encoding than UTF-8");
    public static readonly ProblemType TooManyRequests = new("too-many-requests", 429, "More requests than one client may make");
    public static readonly ProblemType InternalError = new("internal-error", 500, "A fault of the service");

    /// <summary>The answer to a request that has changed nothing.</summary>
    public static readonly ProblemType Overloaded = new("overloaded", 503, "Too much is waiting to become durable");

    /// <summary>The answer to a request that has changed nothing.</summary>
    public static readonly ProblemType Stopping = new("stopping", 503, "The service is stopping");

    /// <summary>The answer to a request that has changed nothing.</summary>
    public static readonly ProblemType StoreUnavailable = new("store-unavailable", 503, "The store can't be used");

    /// <summary>The answer to a request that has changed nothing.</summary>
    public static readonly ProblemType NotApplied = new("not-applied", 503, "The change was not applied");

    /// <summary>The answer to a request whose change may or may not have been made.</summary>
    public static readonly ProblemType OutcomeUnknown = new("outcome-unknown", 503, "It is unknown whether the change was applied");

    public ProblemDetails Details(string? detail = null) => new()
    {
        Type = "urn:problem-type:sectioned-documents:" + Name,
        Status = Status,
        Title = Title,
        Detail = detail,
    };

    public IResult Result() => Results.Problem(Details());
}
