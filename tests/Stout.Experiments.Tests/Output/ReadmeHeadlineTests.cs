using Stout.Experiments.Output;
using Stout.Experiments.Output.Report;

namespace Stout.Experiments.Tests.Output;

/// <summary>The first page's figures can't drift from the data they come from.</summary>
public sealed class ReadmeHeadlineTests
{
    private static readonly string Page = $"before\n{ReadmeHeadline.Begin}\nold\n{ReadmeHeadline.End}\nafter";

    [Fact]
    public async Task The_first_page_says_what_the_evaluations_data_gives()
    {
        var documents = await LoadAsync();
        var readme = await Repository.ReadAsync(Path.Combine(Repository.Root, "README.md"));

        Assert.Equal(ReadmeHeadline.Inserted(readme, documents), readme);
    }

    [Fact]
    public async Task What_stood_between_the_marks_goes_and_the_rest_stays()
    {
        var page = ReadmeHeadline.Inserted(Page, await LoadAsync());

        Assert.StartsWith($"before\n{ReadmeHeadline.Begin}\n", page);
        Assert.EndsWith($"\n{ReadmeHeadline.End}\nafter", page);
        Assert.DoesNotContain("old", page);
    }

    [Fact]
    public async Task Without_marks_nothing_is_inserted_and_without_data_no_figure()
    {
        Assert.Matches("^\\D+$", ReadmeHeadline.Of([]));
        Assert.Null(ReadmeHeadline.Inserted("no place for it", await LoadAsync()));
    }

    private static Task<IReadOnlyList<Document>> LoadAsync() =>
        new ResultFolder(EvaluationPage.FolderOf(Repository.EvaluationPage)).LoadAsync(TestContext.Current.CancellationToken);
}
