using SectionedDocuments.Problems;
using Stout.Documents;

namespace SectionedDocuments.Endpoints;

/// <summary>One section: read, written, removed. Each answer leaves when all that it tells of is durable.</summary>
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

    private static async Task<IResult> GetAsync(string id, string name, DocumentCollection<string> documents, CancellationToken aborted)
    {
        var section = PathSegment.SectionName(name);
        var text = await documents.ReadAsync(PathSegment.Id(id), document => document[section], aborted);
        return text is null ? ProblemType.SectionNotFound.Result() : SectionBody.Write(text);
    }

    private static async Task<IResult> PutAsync(string id, string name, HttpRequest request, DocumentCollection<string> documents, CancellationToken aborted)
    {
        var section = PathSegment.SectionName(name);
        var text = await SectionBody.ReadAsync(request);
        await documents.ChangeAsync(
            PathSegment.Id(id),
            document =>
            {
                document.Set(section, text);
                return true;
            },
            aborted);
        return Results.NoContent();
    }

    private static async Task<IResult> DeleteAsync(string id, string name, DocumentCollection<string> documents, CancellationToken aborted)
    {
        var section = PathSegment.SectionName(name);
        var removed = await documents.ChangeAsync(
            PathSegment.Id(id),
            document =>
            {
                if (!document.Remove(section))
                    return false;
                if (document.Names.Count == 0)
                    document.Delete(); // a document is its sections, and nothing without them
                return true;
            },
            aborted);
        return removed ? Results.NoContent() : ProblemType.SectionNotFound.Result();
    }
}
