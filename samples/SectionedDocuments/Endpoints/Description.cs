using System.Net.Mime;
using Microsoft.OpenApi;

namespace SectionedDocuments.Endpoints;

/// <summary>The parts of the OpenAPI description at /openapi/v1.json that the code does not imply.</summary>
internal static class Description
{
    public static void AddDescription(this IServiceCollection services) => services.AddOpenApi(options =>
        options.AddDocumentTransformer((document, _, _) =>
        {
            document.Info.Title = "Sectioned documents";
            document.Info.Description = "Documents made of named sections. Every answer leaves when all that it tells of is durable.";
            document.Servers = []; // Without a list, clients send requests to the server that serves the description.
            return Task.CompletedTask;
        }));

    /// <summary>Adds a route's summary and errors. Every request for a document can fail by a bad name (400), or by a store in trouble (503, and 504 for an unknown outcome).</summary>
    public static RouteHandlerBuilder Describe(this RouteHandlerBuilder route, string summary, params ReadOnlySpan<int> problems)
    {
        route.WithSummary(summary).ProducesProblem(StatusCodes.Status400BadRequest).ProducesProblem(StatusCodes.Status503ServiceUnavailable).ProducesProblem(StatusCodes.Status504GatewayTimeout);
        foreach (var status in problems)
            route.ProducesProblem(status);
        return route;
    }

    /// <summary>Describes the body as plain text. The service accepts any content type, as long as the text is UTF-8.</summary>
    public static RouteHandlerBuilder TakesText(this RouteHandlerBuilder route) => route.AddOpenApiOperationTransformer((operation, _, _) =>
    {
        var text = new OpenApiMediaType { Schema = new OpenApiSchema { Type = JsonSchemaType.String } };
        operation.RequestBody = new OpenApiRequestBody
        {
            Required = true,
            Content = new Dictionary<string, OpenApiMediaType> { [MediaTypeNames.Text.Plain] = text },
        };
        return Task.CompletedTask;
    });

    public static RouteHandlerBuilder AnswersText(this RouteHandlerBuilder route) =>
        route.Produces<string>(StatusCodes.Status200OK, MediaTypeNames.Text.Plain);

    public static RouteHandlerBuilder AnswersNothing(this RouteHandlerBuilder route) => route.Produces(StatusCodes.Status204NoContent);
}
