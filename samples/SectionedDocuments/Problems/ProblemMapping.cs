using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Mvc;
using SectionedDocuments.Hosting;
using Stout;
using Stout.AspNetCore;

namespace SectionedDocuments.Problems;

/// <summary>Maps exceptions to answers.</summary>
internal static class ProblemMapping
{
    public static ProblemDetails Of(Exception error, string method, ServiceOptions options) => error switch
    {
        ProblemException problem => problem.Type.Details(problem.Message),
        InvalidKeyException key => ProblemType.InvalidName.Details(key.Message),
        BadHttpRequestException { StatusCode: StatusCodes.Status413PayloadTooLarge } => TooLarge(error, options.MaxBodyBytes),
        ConnectionResetException or ConnectionAbortedException or OperationCanceledException => ProblemType.BadRequest.Details("The client has gone."),
        BadHttpRequestException => ProblemType.BadRequest.Details(error.Message),
        _ => StoutProblem.Of(error, method)?.Details ?? ProblemType.InternalError.Details(),
    };

    private static ProblemDetails TooLarge(Exception error, long limit)
    {
        var details = ProblemType.BodyTooLarge.Details(error.Message);
        details.Extensions["limit"] = limit;
        return details;
    }
}
