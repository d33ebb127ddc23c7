using Stout.Experiments.Output;
using Stout.Experiments.Output.Plots;
using Stout.Experiments.Output.Report;

namespace Stout.Experiments.Tests.Output;

/// <summary>The committed page can't drift from the committed data, nor from what makes it.</summary>
public sealed class EvaluationPageTests
{
    [Fact]
    public async Task The_documentations_page_is_what_its_data_gives()
    {
        var documents = await LoadAsync();
        Assert.NotEmpty(documents);
        Assert.Equal(EvaluationPage.Of(documents, "evaluation/"), await Repository.ReadAsync(Repository.EvaluationPage.FullName));
    }

    [Fact]
    public async Task Its_pictures_are_what_its_data_gives_and_there_are_no_others()
    {
        var folder = EvaluationPage.FolderOf(Repository.EvaluationPage);
        var pictures = (await LoadAsync()).SelectMany(Picture.AllOf).ToList();
        // Argon's page has its pictures in the same folder.
        Assert.Equal(
            pictures.Select(picture => picture.File).Order(),
            folder.EnumerateFiles("*.svg").Select(file => file.Name).Where(static name => !name.StartsWith("argon-", StringComparison.Ordinal)).Order());
        foreach (var picture in pictures)
            Assert.Contains($"<metadata>{PanelPlot.Digest(picture.Panel)}</metadata>", await Repository.ReadAsync(Path.Combine(folder.FullName, picture.File)), StringComparison.Ordinal);
    }

    private static Task<IReadOnlyList<Document>> LoadAsync() =>
        new ResultFolder(EvaluationPage.FolderOf(Repository.EvaluationPage)).LoadAsync(TestContext.Current.CancellationToken);
}
