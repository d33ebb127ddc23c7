using System.CommandLine;
using System.Text.Json;
using Stout.Experiments.Experiments;
using Stout.Experiments.Output;
using Stout.Experiments.Output.Report;

namespace Stout.Experiments;

/// <summary>The command <c>report</c>: joins the results of a folder into one page.</summary>
internal static class ReportCommand
{
    private static readonly Option<FileInfo?> Docs = new("--docs")
    {
        Description = "Also write the documentation's page, and a folder beside it with tables, data and pictures",
        HelpName = "PAGE",
    };

    /// <param name="folder">The option that names the folder of the results.</param>
    public static Command Create(Option<DirectoryInfo> folder)
    {
        var command = new Command("report", "Join all results of a folder into one HTML page, report.html in there.") { folder, Docs };
        command.SetAction((arguments, cancellationToken) => RunAsync(arguments.GetRequiredValue(folder), arguments.GetValue(Docs), cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(DirectoryInfo folder, FileInfo? docs, CancellationToken cancellationToken)
    {
        IReadOnlyList<Document> documents;
        try
        {
            documents = await new ResultFolder(folder).LoadAsync(Catalogue.Names, cancellationToken);
        }
        catch (JsonException error)
        {
            await Console.Error.WriteLineAsync(error.Message);
            return 1;
        }

        if (documents.Count == 0)
        {
            await Console.Error.WriteLineAsync($"{folder} holds no results: run an experiment first.");
            return 1;
        }

        var page = Path.Combine(folder.FullName, ReportPage.File);
        await File.WriteAllTextAsync(page, ReportPage.Of(documents), cancellationToken);
        Console.WriteLine(page);
        if (docs is not null)
        {
            await EvaluationPage.SaveAsync(documents, docs, cancellationToken);
            Console.WriteLine(docs.FullName);
        }

        return 0;
    }
}
