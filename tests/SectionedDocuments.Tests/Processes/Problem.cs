using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace SectionedDocuments.Tests.Processes;

/// <summary>An error answer.</summary>
internal sealed record Problem(string Type, string Title, int Status, string? Detail)
{
    private const string Prefix = "urn:problem-type:";

    [JsonExtensionData]
    public Dictionary<string, JsonElement> Extensions { get; init; } = [];

    /// <summary>Checks that an answer is a problem of the given status and type: of the service, or of Stout as in <c>stout:overloaded</c>.</summary>
    public static async Task<Problem> OfAsync(HttpResponseMessage answer, HttpStatusCode status, string type)
    {
        Assert.Equal("application/problem+json", answer.Content.Headers.ContentType?.MediaType);
        var problem = await answer.Content.ReadFromJsonAsync<Problem>(TestContext.Current.CancellationToken);
        Assert.Equal(Prefix + (type.Contains(':', StringComparison.Ordinal) ? type : "sectioned-documents:" + type), problem!.Type);
        Assert.Equal(status, answer.StatusCode);
        Assert.Equal((int)status, problem.Status);
        return problem;
    }
}
