using System.Globalization;
using Microsoft.AspNetCore.Diagnostics;
using SectionedDocuments.Hosting;
using Stout.AspNetCore;

namespace SectionedDocuments.Problems;

/// <summary>Answers a failed request with problem+json. Logs the error only if it is the service's own fault.</summary>
internal sealed partial class ProblemHandler(IProblemDetailsService problems, ServiceOptions options, ILogger<ProblemHandler> logger) : IExceptionHandler
{
    private static readonly TimeSpan DefaultRetryAfter = TimeSpan.FromSeconds(1);

    public async ValueTask<bool> TryHandleAsync(HttpContext context, Exception exception, CancellationToken cancellationToken)
    {
        var details = ProblemMapping.Of(exception, context.Request.Method, options);
        context.Response.StatusCode = details.Status!.Value;
        if (details.Status == StatusCodes.Status503ServiceUnavailable)
            context.Response.Headers.RetryAfter = Seconds(StoutProblem.Of(exception, context.Request.Method)?.RetryAfter ?? DefaultRetryAfter);
        if (details.Status == StatusCodes.Status500InternalServerError)
            LogFault(exception);

        // IProblemDetailsService writes nothing if a client accepts text/html alone. Then the problem is written here, since an error without
        // an answer would count as a fault of the service.
        if (!await problems.TryWriteAsync(new ProblemDetailsContext { HttpContext = context, ProblemDetails = details }))
            await Results.Problem(details).ExecuteAsync(context);
        return true;
    }

    /// <summary>The value of the header: whole seconds, at least 1, since 0 would ask for an immediate retry.</summary>
    private static string Seconds(TimeSpan time) => Math.Max(1, (long)Math.Ceiling(time.TotalSeconds)).ToString(CultureInfo.InvariantCulture);

    [LoggerMessage(3, LogLevel.Error, "A request failed by a fault of the service")]
    private partial void LogFault(Exception error);
}
