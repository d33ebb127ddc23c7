using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Mvc;
using SectionedDocuments.Hosting;
using Stout;

namespace SectionedDocuments.Problems;

/// <summary>Maps exceptions to answers. Stout's messages never contain a key or a value, so clients may see them.</summary>
internal static class ProblemMapping
{
    public static ProblemDetails Of(Exception error, ServiceOptions options) => error switch
    {
        ProblemException problem => problem.Type.Details(problem.Message),
        InvalidKeyException key => ProblemType.InvalidName.Details(key.Message),
        BadHttpRequestException { StatusCode: StatusCodes.Status413PayloadTooLarge } => With(ProblemType.BodyTooLarge, error, ("limit", options.MaxBodyBytes)),
        ConnectionResetException or ConnectionAbortedException or OperationCanceledException => ProblemType.BadRequest.Details("The client has gone."),
        BadHttpRequestException => ProblemType.BadRequest.Details(error.Message),
        ChangeTooLargeException change => With(ProblemType.ChangeTooLarge, error, ("size", change.Size), ("limit", change.Limit), ("unit", change.Kind.ToString())),
        ObjectTooLargeException tooLarge => With(ProblemType.DocumentTooLarge, error, ("size", tooLarge.Size), ("limit", tooLarge.Limit), ("unit", tooLarge.Kind.ToString())),
        OverloadException => ProblemType.Overloaded.Details(error.Message),
        StoppedException => ProblemType.Stopping.Details(error.Message),
        FillFailedException => ProblemType.StoreUnavailable.Details(error.Message),
        NotAppliedException { Reason: NotAppliedReason.Stopped } => ProblemType.Stopping.Details(error.Message),
        NotAppliedException { Reason: NotAppliedReason.StoreUnreachable or NotAppliedReason.KeyBusy } => ProblemType.StoreUnavailable.Details(error.Message),
        NotAppliedException change => With(ProblemType.NotApplied, error, ("reason", change.Reason.ToString())),
        HandleClosedException => ProblemType.NotApplied.Details(error.Message),
        OutcomeUnknownException => ProblemType.OutcomeUnknown.Details(error.Message),
        _ => ProblemType.InternalError.Details(),
    };

    private static ProblemDetails With(ProblemType type, Exception error, params ReadOnlySpan<(string Name, object Value)> extensions)
    {
        var details = type.Details(error.Message);
        foreach (var (name, value) in extensions)
            details.Extensions[name] = value;
        return details;
    }
}
