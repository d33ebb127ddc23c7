using Documentation.Examples;
using Stout.Documents;
using Stout.Storage;

namespace Documentation.Tests;

/// <summary>Runs the longer examples of the pages.</summary>
public sealed class ExampleTests
{
    [Fact]
    public async Task Counters_on_the_base_layer_count_and_reply() =>
        Assert.Equal("100; 100 impressions; closed True", await BaseLayerPage.RunAsync(new InMemoryStore()));

    [Fact]
    public async Task Bytes_on_the_base_layer_are_read_and_written()
    {
        var store = new InMemoryStore();
        Assert.Equal(1, await BaseLayerPage.CountBytesAsync(store));
        Assert.Equal(2, await BaseLayerPage.CountBytesAsync(store.Connect()));
    }

    [Fact]
    public async Task Objects_of_the_typed_layer_are_changed_and_read_as_its_page_says() =>
        Assert.Equal("Ada 10; 16; 1; deleted True", await TypedLayerPage.RunAsync(new InMemoryStore()));

    [Fact]
    public async Task An_article_is_added_once_however_often_and_beside_whichever_others_it_is_asked_for() =>
        Assert.Equal("Done, Done, Done, Done: a pint, crisps; NotDone", await RepeatedRequestsPage.RunAsync(new InMemoryStore()));

    [Fact]
    public async Task Objects_of_an_old_version_are_rewritten_and_new_ones_left_alone()
    {
        var store = new InMemoryStore();
        await using (var before = await DocumentStore.OpenAsync(store.Connect(), cancellationToken: TestContext.Current.CancellationToken))
        {
            await before.GetCollection<byte[]>("profiles").SetAsync("old", """{"First":"Ada","Last":"Byron"}"""u8.ToArray(), TestContext.Current.CancellationToken);
            await before.GetCollection<byte[]>("profiles").SetAsync("new", """{"Version":2,"Name":"Ada Byron"}"""u8.ToArray(), TestContext.Current.CancellationToken);
        }

        await using (var documents = await DocumentStore.OpenAsync(store.Connect(), cancellationToken: TestContext.Current.CancellationToken))
        {
            Assert.Equal(2, await ChangingTypesPage.RewriteAsync(documents.GetCollection("profiles", new ChangingTypesPage.ProfileSerializer()), TestContext.Current.CancellationToken));
            Assert.Equal(1, documents.GetStatistics().KeysWritten);
        }

        await using var after = await DocumentStore.OpenAsync(store, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal("""{"Version":2,"Name":"Ada Byron"}"""u8.ToArray(), await after.GetCollection<byte[]>("profiles").GetAsync("old", TestContext.Current.CancellationToken));
    }

    [Fact]
    public void The_simulated_hotspot_attains_what_the_page_says() => Assert.Equal("99.5", DirectorPage.Simulate());

    [Fact]
    public async Task Statistics_say_what_was_written() =>
        Assert.Contains("keys written       1 in 1 requests\n", await TroubleshootingPage.RunAsync(new InMemoryStore()), StringComparison.Ordinal);

    [Fact]
    public async Task Services_on_one_disk_share_objects_and_are_charged_each_for_its_own()
    {
        var folder = Directory.CreateTempSubdirectory("argon-");
        try
        {
            Assert.Equal("42 apples Trial", await ArgonPage.RunAsync(folder.FullName));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
