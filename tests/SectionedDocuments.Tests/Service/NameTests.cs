using System.Net;
using System.Text.Json;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Service;

public sealed class NameTests(SharedService shared) : IClassFixture<SharedService>
{
    private readonly RunningService _service = shared.Service;

    [Fact]
    public async Task Names_that_look_alike_stay_different()
    {
        string[] names =
        [
            "a", "A", "a ", " a", "a/b", "a%2Fb", "a%252Fb", "a\\b", "a+b", "a b", "a%20b", "a?b", "a#b", "a;b=c", "a:b", "a&b", "\"a\"", "'a'", "...", "a/../b",
            "🐟", "🐠", "é", "e\u0301", "\u00C5", "\u212B", "\u0001", "\t", "\n", "~", "%", "%zz", "名", new string('x', 128), new string('x', 127),
        ];
        foreach (var name in names)
        {
            await _service.WriteAsync("names", name, "section " + name);
            await _service.WriteAsync(name, "s", "document " + name);
        }

        foreach (var name in names)
        {
            Assert.Equal("section " + name, await _service.ReadAsync("names", name));
            Assert.Equal("document " + name, await _service.ReadAsync(name, "s"));
        }

        using var listed = JsonDocument.Parse(await _service.Http.GetStringAsync("documents/names", TestContext.Current.CancellationToken));
        var listedNames = listed.RootElement.GetProperty("sections").EnumerateArray().Select(section => section.GetProperty("name").GetString());
        Assert.Equal(names.Order(StringComparer.Ordinal), listedNames);
    }

    [Fact]
    public async Task Encoding_what_needs_none_changes_nothing()
    {
        Assert.Equal(204, (await RawHttp.SendAsync(_service.Address, "PUT", "/documents/%65ncoded/sections/%61+%7e", "x")).Status);
        Assert.Equal("x", await _service.ReadAsync("encoded", "a+~"));
    }

    [Fact]
    public async Task The_absolute_form_of_a_target_names_the_same_document()
    {
        Assert.Equal(204, (await RawHttp.SendAsync(_service.Address, "PUT", $"{_service.Address}documents/absolute/sections/a%2Fb?x=/", "x")).Status);
        Assert.Equal("x", await _service.ReadAsync("absolute", "a/b"));
    }

    [Theory]
    [InlineData("/documents/safe/sections/..")]
    [InlineData("/documents/safe/sections/.")]
    [InlineData("/documents/safe/sections/%2e%2E")]
    [InlineData("/documents/safe/sections/")]
    [InlineData("/documents/safe/")]
    [InlineData("/documents//sections/1")]
    [InlineData("/documents/../sections/1")]
    [InlineData("/documents/safe/sections/%FF")]
    [InlineData("/documents/safe/sections/%ED%A0%80")]
    [InlineData("/documents/safe/sections/%C0%AF")]
    [InlineData("/documents/safe/sections/%zz")]
    [InlineData("/documents/safe/sections/1%2")]
    [InlineData("/documents/safe/sections/%+1")]
    public async Task A_path_that_names_nothing_is_refused_and_harms_nothing(string target)
    {
        await _service.WriteAsync("safe", "1", "still here");
        var (status, answer) = await RawHttp.SendAsync(_service.Address, "DELETE", target);
        Assert.Equal(400, status);
        Assert.Contains("application/problem+json", answer, StringComparison.Ordinal);
        Assert.Contains(":invalid-name\"", answer, StringComparison.Ordinal);
        Assert.Equal("still here", await _service.ReadAsync("safe", "1"));
    }

    [Fact]
    public async Task A_zero_character_is_refused_by_the_server_itself()
    {
        Assert.Equal(400, (await RawHttp.SendAsync(_service.Address, "PUT", "/documents/a/sections/%00", "x")).Status);
    }

    [Theory]
    [InlineData(129, "n", 1)]
    [InlineData(65, "é", 2)]
    public async Task A_name_that_is_too_long_is_refused_with_the_limit(int count, string character, int bytes)
    {
        using var answer = await _service.PutAsync("long", string.Concat(Enumerable.Repeat(character, count)), "x");
        var problem = await Problem.OfAsync(answer, HttpStatusCode.BadRequest, "invalid-name");
        Assert.Contains($"takes {count * bytes} bytes", problem.Detail, StringComparison.Ordinal);
        Assert.Contains("128 are allowed", problem.Detail, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_id_that_is_too_long_is_refused()
    {
        using var answer = await _service.PutAsync(new string('d', 4_097), "s", "x");
        await Problem.OfAsync(answer, HttpStatusCode.BadRequest, "invalid-name");
    }
}
