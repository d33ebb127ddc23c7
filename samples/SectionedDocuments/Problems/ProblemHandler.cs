using System.Globalization;
using Microsoft.AspNetCore.Diagnostics;
using SectionedDocuments.Hosting;
using Stout;

namespace SectionedDocuments.Problems;

/// <summary>Answers what went wrong as problem+json; logs it only where it is the service's own fault.</summary>
internal sealed partial class ProblemHandler(IProblemDetailsService problems, ServiceOptions options, ILogger<ProblemHandler> logger) : IExceptionHandler
{
    private static readonly TimeSpan DefaultRetryAfter = TimeSpan.FromSeconds(1);

    public async ValueTask<bool> TryHandleAsync(HttpContext context, Exception exception, CancellationToken cancellationToken)
    {
        var details = ProblemMapping.Of(exception, options);
        context.Response.StatusCode = details.Status!.Value;
        if (details.Status == StatusCodes.Status503ServiceUnavailable)
            context.Response.Headers.RetryAfter = Seconds((exception as OverloadException)?.RetryAfter ?? DefaultRetryAfter);
        if (details.Status == StatusCodes.Status500InternalServerError)
            LogFault(exception);

        // The service for problems writes nothing where a client accepts text/html alone, and an unwritten problem would be a fault of ours.
        if (!await problems.TryWriteAsync(new ProblemDetailsContext { HttpContext = context, ProblemDetails = details }))
            await Results.Problem(details).ExecuteAsync(context);
        return true;
    }

    /// <summary>The header knows whole seconds only; 0 would ask for an immediate return.</summary>
    private static string Seconds(TimeSpan time) => Math.Max(1, (long)Math.Ceiling(time.TotalSeconds)).ToString(CultureInfo.InvariantCulture);

    [LoggerMessage(3, LogLevel.Error, "A request failed by a fault of the service")]
    private partial void LogFault(Exception error);
}
