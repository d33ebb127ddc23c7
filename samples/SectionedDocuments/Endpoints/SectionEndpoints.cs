using SectionedDocuments.Problems;

namespace SectionedDocuments.Endpoints;

/// <summary>Reads, writes and removes one section. Each answer leaves after the state that it reveals is durable.</summary>
internal static class SectionEndpoints
{
    private const string Section = "/documents/{id}/sections/{name}";

    public static void MapSections(this WebApplication app)
    {
        app.MapGet(Section, GetAsync).Describe("A section's text", StatusCodes.Status404NotFound).AnswersText();
        app.MapPut(Section, PutAsync)
            .Describe("Writes a section; makes it, and its document, where they are missing", StatusCodes.Status413PayloadTooLarge, StatusCodes.Status415UnsupportedMediaType)
            .TakesText().AnswersNothing();
        app.MapDelete(Section, DeleteAsync)
            .Describe("Removes a section, and with the last one the document", StatusCodes.Status404NotFound).AnswersNothing();
    }

    private static async Task<IResult> GetAsync(string id, string name, IDocuments documents, CancellationToken aborted)
    {
        var section = PathSegment.SectionName(name);
        var text = await documents.ReadAsync(PathSegment.Id(id), section, aborted);
        return text is null ? ProblemType.SectionNotFound.Result() : SectionBody.Write(text);
    }

    private static async Task<IResult> PutAsync(string id, string name, HttpRequest request, IDocuments documents, CancellationToken aborted)
    {
        var section = PathSegment.SectionName(name);
        var text = await SectionBody.ReadAsync(request);
        await documents.WriteAsync(PathSegment.Id(id), section, text, aborted);
        return Results.NoContent();
    }

    private static async Task<IResult> DeleteAsync(string id, string name, IDocuments documents, CancellationToken aborted)
    {
        var section = PathSegment.SectionName(name);
        return await documents.RemoveAsync(PathSegment.Id(id), section, aborted) ? Results.NoContent() : ProblemType.SectionNotFound.Result();
    }
}
