using SectionedDocuments.Problems;

namespace SectionedDocuments.Endpoints;

/// <summary>The sections of a document.</summary>
/// <param name="Sections">The document's sections, in ordinal order of their names.</param>
internal sealed record DocumentSummary(IReadOnlyList<SectionSummary> Sections);

/// <summary>A section without its text.</summary>
/// <param name="Name">The section's name.</param>
/// <param name="Length">The length of its text, in bytes of UTF-8.</param>
internal sealed record SectionSummary(string Name, int Length);

/// <summary>A section with its text.</summary>
/// <inheritdoc cref="SectionSummary"/>
internal sealed record SectionText(string Name, int Length, string Text);

/// <summary>Whole documents: their summary, their sections by prefix, and deletion.</summary>
internal static class DocumentEndpoints
{
    public static void MapDocuments(this WebApplication app)
    {
        app.MapGet("/documents/{id}", GetAsync)
            .Describe("What a document consists of", StatusCodes.Status404NotFound).Produces<DocumentSummary>();
        app.MapGet("/documents/{id}/sections", GetSectionsAsync)
            .Describe("The sections whose names begin with a prefix; none if there is no such document").Produces<List<SectionText>>();
        app.MapDelete("/documents/{id}", DeleteAsync)
            .Describe("Removes a document with all its sections", StatusCodes.Status404NotFound).AnswersNothing();
    }

    private static async Task<IResult> GetAsync(string id, IDocuments documents, CancellationToken aborted)
    {
        var summary = await documents.SummarizeAsync(PathSegment.Id(id), aborted);
        return summary is null ? ProblemType.DocumentNotFound.Result() : Results.Ok(summary);
    }

    /// <summary>
    /// Answers with the sections whose names begin with the prefix, or with all sections if there is no prefix. As in every query, a plus is a blank. For a
    /// document that does not exist the answer is an empty list, so a browser that opens a new document reports no error.
    /// </summary>
    private static async Task<IResult> GetSectionsAsync(string id, string? prefix, IDocuments documents, CancellationToken aborted) =>
        Results.Ok(await documents.SelectAsync(PathSegment.Id(id), prefix ?? "", aborted));

    private static async Task<IResult> DeleteAsync(string id, IDocuments documents, CancellationToken aborted) =>
        await documents.DeleteAsync(PathSegment.Id(id), aborted) ? Results.NoContent() : ProblemType.DocumentNotFound.Result();
}
