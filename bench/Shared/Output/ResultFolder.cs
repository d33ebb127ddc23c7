using System.Text.Json;
using Stout.Experiments.Output.Plots;

namespace Stout.Experiments.Output;

/// <summary>The folder that results are saved into, each as soon as it is finished, and read from again.</summary>
internal sealed class ResultFolder(DirectoryInfo folder)
{
    /// <summary>Writes a document as JSON, its table as CSV, its page, and its pictures.</summary>
    public async Task SaveAsync(Document document, CancellationToken cancellationToken)
    {
        folder.Create();
        await WriteAsync($"{document.Stem}.csv", Csv.Of(document.Result.Table));
        await WriteAsync($"{document.Stem}.md", Markdown.Of(document, $"{document.Stem}.csv"));
        foreach (var picture in Picture.AllOf(document))
            await WriteAsync(picture.File, picture.Svg());
        // Writes the JSON file last: if it exists, the other files do too.
        await WriteAsync($"{document.Stem}.json", Json.Of(document));

        Task WriteAsync(string file, string text) => File.WriteAllTextAsync(Path.Combine(folder.FullName, file), text, cancellationToken);
    }

    /// <summary>All documents of the folder.</summary>
    /// <param name="order">The experiments in the order of the documents.</param>
    /// <param name="cancellationToken">Stops the reading.</param>
    /// <exception cref="JsonException">A file with a result's name has other content.</exception>
    public async Task<IReadOnlyList<Document>> LoadAsync(IEnumerable<string> order, CancellationToken cancellationToken)
    {
        if (!folder.Exists)
            return [];
        var known = order.ToList();
        var documents = new List<Document>();
        foreach (var file in folder.EnumerateFiles("*.json"))
        {
            try
            {
                documents.Add(Json.Read(await File.ReadAllTextAsync(file.FullName, cancellationToken)));
            }
            catch (JsonException error)
            {
                throw new JsonException($"{file.Name} is not a result: {error.Message}", error);
            }
        }

        return [.. documents.OrderBy(document => known.IndexOf(document.Experiment)).ThenBy(document => document.Stem, StringComparer.Ordinal)];
    }
}
