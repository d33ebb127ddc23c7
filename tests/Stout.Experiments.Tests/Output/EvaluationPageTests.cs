using Stout.Experiments.Output;
using Stout.Experiments.Output.Plots;
using Stout.Experiments.Output.Report;

namespace Stout.Experiments.Tests.Output;

/// <summary>The committed page can't drift from the committed data, nor from what makes it.</summary>
public sealed class EvaluationPageTests
{
    private static readonly FileInfo Page = new(Path.Combine(Repository(), "docs", "evaluation.md"));

    [Fact]
    public async Task The_documentations_page_is_what_its_data_gives()
    {
        var documents = await LoadAsync();
        Assert.NotEmpty(documents);
        Assert.Equal(EvaluationPage.Of(documents, "evaluation/"), await ReadAsync(Page.FullName));
    }

    [Fact]
    public async Task Its_pictures_are_what_its_data_gives_and_there_are_no_others()
    {
        var folder = EvaluationPage.FolderOf(Page);
        var pictures = (await LoadAsync()).SelectMany(Picture.AllOf).ToList();
        Assert.Equal(pictures.Select(picture => picture.File).Order(), folder.EnumerateFiles("*.svg").Select(file => file.Name).Order());
        foreach (var picture in pictures)
            Assert.Equal(picture.Standalone(), await ReadAsync(Path.Combine(folder.FullName, picture.File)));
    }

    private static Task<IReadOnlyList<Document>> LoadAsync() =>
        new ResultFolder(EvaluationPage.FolderOf(Page)).LoadAsync(TestContext.Current.CancellationToken);

    // A checkout may have line ends of its own.
    private static async Task<string> ReadAsync(string path) => (await File.ReadAllTextAsync(path, TestContext.Current.CancellationToken)).ReplaceLineEndings("\n");

    private static string Repository()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Stout.sln")))
                return folder.FullName;
        }

        throw new DirectoryNotFoundException("The tests are not inside the repository.");
    }
}
