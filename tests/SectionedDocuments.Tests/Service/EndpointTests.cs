using System.Net;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Service;

public sealed class EndpointTests(SharedService shared) : IClassFixture<SharedService>
{
    private readonly RunningService _service = shared.Service;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_section_can_be_written_read_changed_and_removed()
    {
        await _service.WriteAsync("a", "intro", "first");
        await _service.WriteAsync("a", "intro", "second, with ö and 🐟");

        using var answer = await _service.Http.GetAsync("documents/a/sections/intro", Cancellation);
        Assert.Equal("text/plain; charset=utf-8", answer.Content.Headers.ContentType?.ToString());
        Assert.Equal("second, with ö and 🐟", await answer.Content.ReadAsStringAsync(Cancellation));

        using var removed = await _service.Http.DeleteAsync("documents/a/sections/intro", Cancellation);
        Assert.Equal(HttpStatusCode.NoContent, removed.StatusCode);
        using var gone = await _service.Http.GetAsync("documents/a/sections/intro", Cancellation);
        await Problem.OfAsync(gone, HttpStatusCode.NotFound, "section-not-found");
    }

    [Theory]
    [InlineData("")]
    [InlineData("\uFEFFwith a byte order mark")]
    [InlineData("line\r\nline\n\0 and a zero")]
    public async Task A_text_comes_back_byte_for_byte(string text)
    {
        await _service.WriteAsync("bytes", "s", text);
        Assert.Equal(Encoding.UTF8.GetBytes(text), await _service.Http.GetByteArrayAsync("documents/bytes/sections/s", Cancellation));
    }

    [Fact]
    public async Task A_document_lists_its_sections_in_order_with_their_lengths_in_bytes()
    {
        await _service.WriteAsync("b", "2", "zwölf");
        await _service.WriteAsync("b", "10", "");
        await _service.WriteAsync("b", "1", "one");

        var document = await _service.Http.GetFromJsonAsync<JsonElement>("documents/b", Cancellation);
        var sections = document.GetProperty("sections").EnumerateArray().Select(s => (s.GetProperty("name").GetString(), s.GetProperty("length").GetInt32()));
        Assert.Equal([("1", 3), ("10", 0), ("2", 6)], sections);
    }

    [Fact]
    public async Task Sections_are_found_by_the_beginning_of_their_names()
    {
        await _service.WriteAsync("c", "part/1", "one");
        await _service.WriteAsync("c", "part/2 +", "zwei 海");
        await _service.WriteAsync("c", "Part/3", "three");

        Assert.Equal([("part/1", 3, "one"), ("part/2 +", 8, "zwei 海")], await SectionsAsync("?prefix=part%2F"));
        Assert.Equal([("part/2 +", 8, "zwei 海")], await SectionsAsync("?prefix=part/2+%2B"));
        Assert.Equal(3, (await SectionsAsync("")).Count);
        Assert.Empty(await SectionsAsync("?prefix=nothing"));
    }

    [Fact]
    public async Task A_document_goes_with_all_its_sections()
    {
        await _service.WriteAsync("d", "1", "one");
        await _service.WriteAsync("d", "2", "two");
        using var removed = await _service.Http.DeleteAsync("documents/d", Cancellation);
        Assert.Equal(HttpStatusCode.NoContent, removed.StatusCode);

        using var gone = await _service.Http.GetAsync("documents/d", Cancellation);
        await Problem.OfAsync(gone, HttpStatusCode.NotFound, "document-not-found");
        Assert.Equal("[]", await _service.Http.GetStringAsync("documents/d/sections", Cancellation));
        using var again = await _service.Http.DeleteAsync("documents/d", Cancellation);
        await Problem.OfAsync(again, HttpStatusCode.NotFound, "document-not-found");

        await _service.WriteAsync("d", "2", "new");
        Assert.Equal("new", await _service.ReadAsync("d", "2"));
        using var old = await _service.Http.GetAsync("documents/d/sections/1", Cancellation);
        await Problem.OfAsync(old, HttpStatusCode.NotFound, "section-not-found");
    }

    [Fact]
    public async Task A_document_ends_with_its_last_section()
    {
        await _service.WriteAsync("e", "1", "one");
        using var removed = await _service.Http.DeleteAsync("documents/e/sections/1", Cancellation);
        Assert.Equal(HttpStatusCode.NoContent, removed.StatusCode);
        using var gone = await _service.Http.GetAsync("documents/e", Cancellation);
        await Problem.OfAsync(gone, HttpStatusCode.NotFound, "document-not-found");
    }

    [Fact]
    public async Task What_never_was_is_not_found()
    {
        using var section = await _service.Http.DeleteAsync("documents/never/sections/was", Cancellation);
        await Problem.OfAsync(section, HttpStatusCode.NotFound, "section-not-found");
        using var document = await _service.Http.GetAsync("documents/never", Cancellation);
        await Problem.OfAsync(document, HttpStatusCode.NotFound, "document-not-found");
    }

    [Fact]
    public async Task Health_tells_what_Stout_has_counted()
    {
        await _service.WriteAsync("f", "1", "one");
        var health = await _service.Http.GetFromJsonAsync<JsonElement>("health", Cancellation);
        Assert.Equal("ok", health.GetProperty("status").GetString());
        Assert.True(health.GetProperty("statistics").GetProperty("writeRequests").GetInt64() > 0);
        Assert.Equal("Steady", health.GetProperty("statistics").GetProperty("phase").GetString());
    }

    private async Task<List<(string Name, int Length, string Text)>> SectionsAsync(string query)
    {
        var sections = await _service.Http.GetFromJsonAsync<JsonElement>("documents/c/sections" + query, Cancellation);
        return [.. sections.EnumerateArray().Select(s => (s.GetProperty("name").GetString()!, s.GetProperty("length").GetInt32(), s.GetProperty("text").GetString()!))];
    }
}
