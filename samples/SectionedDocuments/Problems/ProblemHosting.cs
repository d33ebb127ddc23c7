namespace SectionedDocuments.Problems;

/// <summary>Every error answer is problem+json: exceptions, and answers that routing gives without a body.</summary>
internal static class ProblemHosting
{
    public static void AddProblems(this IServiceCollection services)
    {
        services.AddProblemDetails();
        services.AddExceptionHandler<ProblemHandler>();
    }

    public static void UseProblems(this WebApplication app)
    {
        app.UseExceptionHandler();
        app.UseStatusCodePages(context => OfStatus(context.HttpContext.Response.StatusCode).ExecuteAsync(context.HttpContext));
    }

    private static IResult OfStatus(int status) => status switch
    {
        StatusCodes.Status404NotFound => ProblemType.UnknownRoute.Result(),
        StatusCodes.Status405MethodNotAllowed => ProblemType.MethodNotAllowed.Result(),
        < 500 => Results.Problem((ProblemType.BadRequest with { Status = status }).Details()),
        _ => Results.Problem((ProblemType.InternalError with { Status = status }).Details()),
    };
}
