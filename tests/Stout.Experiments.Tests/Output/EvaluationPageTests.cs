using Stout.Experiments.Experiments;
using Stout.Experiments.Output;
using Stout.Experiments.Output.Plots;
using Stout.Experiments.Output.Report;

namespace Stout.Experiments.Tests.Output;

/// <summary>The committed pages agree with the committed data and with the generator.</summary>
public sealed class EvaluationPageTests
{
    private static readonly DirectoryInfo Folder = EvaluationPage.FolderOf(Repository.EvaluationPage);

    [Fact]
    public async Task The_documentations_page_is_what_its_data_gives()
    {
        var documents = await LoadAsync();
        Assert.NotEmpty(documents);
        Assert.Equal(EvaluationPage.Of(documents, "evaluation/"), await Repository.ReadAsync(Repository.EvaluationPage.FullName));
    }

    [Fact]
    public async Task Its_tables_are_what_its_data_gives_and_there_are_no_others()
    {
        var pages = EvaluationPage.TablesOf(await LoadAsync()).ToList();
        Assert.Equal(pages.Select(static page => page.File).Order(), Folder.EnumerateFiles("*.md").Select(static file => file.Name).Order());
        foreach (var (file, text) in pages)
            Assert.Equal(text, await Repository.ReadAsync(Path.Combine(Folder.FullName, file)));
    }

    [Fact]
    public async Task Every_experiment_of_the_page_has_a_finding() =>
        Assert.All(await LoadAsync(), static document => Assert.NotNull(Findings.Of(document.Experiment, document.Law)));

    [Fact]
    public async Task Its_pictures_are_what_its_data_gives_and_there_are_no_others()
    {
        var pictures = (await LoadAsync()).SelectMany(Picture.AllOf).ToList();
        Assert.Equal(
            pictures.Select(picture => picture.File).Order(),
            Folder.EnumerateFiles("*.svg").Select(file => file.Name).Order());
        foreach (var picture in pictures)
            Assert.Contains($"<metadata>{PanelPlot.Digest(picture.Panel)}</metadata>", await Repository.ReadAsync(Path.Combine(Folder.FullName, picture.File)), StringComparison.Ordinal);
    }

    private static Task<IReadOnlyList<Document>> LoadAsync() => new ResultFolder(Folder).LoadAsync(Catalogue.Names, TestContext.Current.CancellationToken);
}
