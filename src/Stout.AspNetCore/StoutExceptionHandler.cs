using System.Globalization;
using Microsoft.AspNetCore.Diagnostics;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace Stout.AspNetCore;

/// <summary>Answers the exceptions of Stout. Logs those that are a fault of the service.</summary>
internal sealed partial class StoutExceptionHandler(IProblemDetailsService problems, ILogger<StoutExceptionHandler> logger) : IExceptionHandler
{
    public async ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken)
    {
        if (StoutProblem.Of(exception, httpContext.Request.Method) is not { Details: var details } problem)
            return false;
        httpContext.Response.StatusCode = details.Status!.Value;
        if (problem.RetryAfter is { } retryAfter)
            httpContext.Response.Headers.RetryAfter = Seconds(retryAfter);
        if (details.Status == StatusCodes.Status500InternalServerError)
            LogFault(exception);
        // The service writes nothing for a client that accepts no JSON. Then the problem is written here, since an empty answer has no type.
        if (!await problems.TryWriteAsync(new ProblemDetailsContext { HttpContext = httpContext, ProblemDetails = details }).ConfigureAwait(false))
            await TypedResults.Problem(details).ExecuteAsync(httpContext).ConfigureAwait(false);
        return true;
    }

    /// <summary>The value of the header: whole seconds, at least 1, since 0 would ask for an immediate retry.</summary>
    private static string Seconds(TimeSpan time) => Math.Max(1, (long)Math.Ceiling(time.TotalSeconds)).ToString(CultureInfo.InvariantCulture);

    [LoggerMessage(1, LogLevel.Error, "A request failed by a fault of the service or of its store")]
    private partial void LogFault(Exception error);
}
