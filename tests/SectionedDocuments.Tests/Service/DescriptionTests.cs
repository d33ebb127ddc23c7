using System.Net.Http.Json;
using System.Text.Json;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Service;

public sealed class DescriptionTests(SharedService shared) : IClassFixture<SharedService>
{
    private readonly RunningService _service = shared.Service;

    [Fact]
    public async Task The_description_names_every_route_of_the_service_and_none_of_the_page()
    {
        var paths = (await DescriptionAsync()).GetProperty("paths");
        var routes = paths.EnumerateObject().SelectMany(path => path.Value.EnumerateObject().Select(operation => $"{operation.Name} {path.Name}"));
        Assert.Equal(
            [
                "delete /documents/{id}",
                "delete /documents/{id}/sections/{name}",
                "get /documents/{id}",
                "get /documents/{id}/sections",
                "get /documents/{id}/sections/{name}",
                "get /events",
                "get /health",
                "get /health/live",
                "get /health/ready",
                "put /documents/{id}/sections/{name}",
            ],
            routes.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task The_description_tells_what_goes_in_and_what_comes_out()
    {
        var description = await DescriptionAsync();
        var put = description.GetProperty("paths").GetProperty("/documents/{id}/sections/{name}").GetProperty("put");
        Assert.Equal("string", put.GetProperty("requestBody").GetProperty("content").GetProperty("text/plain").GetProperty("schema").GetProperty("type").GetString());
        var answers = put.GetProperty("responses").EnumerateObject().Select(answer => answer.Name).Order(StringComparer.Ordinal);
        Assert.Equal(["204", "400", "413", "415", "503", "504"], answers);
        Assert.True(put.GetProperty("responses").GetProperty("503").GetProperty("content").TryGetProperty("application/problem+json", out _));

        var section = description.GetProperty("components").GetProperty("schemas").GetProperty("SectionText").GetProperty("properties");
        Assert.Equal(["length", "name", "text"], section.EnumerateObject().Select(property => property.Name).Order(StringComparer.Ordinal));
    }

    private Task<JsonElement> DescriptionAsync() =>
        _service.Http.GetFromJsonAsync<JsonElement>("openapi/v1.json", TestContext.Current.CancellationToken);
}
