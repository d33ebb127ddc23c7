using System.Text;
using OrleansDocuments.Grains;
using OrleansDocuments.Hosting;
using SectionedDocuments.Endpoints;
using Stout;

namespace OrleansDocuments.Calls;

/// <summary>Reads and changes documents by calls of their grains. Orleans finds the silo of each grain.</summary>
internal sealed class GrainDocuments(
    IGrainFactory grains, RepeatedCalls repeated, ReplyCounter replies, [FromKeyedServices(SiloHosting.Storage)] StoutClient stout) : IDocuments
{
    public long AcknowledgedChanges => replies.AcknowledgedChanges;

    public int HeldReplies => replies.Held;

    public ValueTask<string?> ReadAsync(string id, string section, CancellationToken cancellationToken) =>
        CallAsync(id, document => document.ReadAsync(section), cancellationToken);

    public async ValueTask WriteAsync(string id, string section, string text, CancellationToken cancellationToken) => await CallAsync(
        id,
        async document =>
        {
            await document.WriteAsync(section, text);
            return true;
        },
        cancellationToken);

    public ValueTask<bool> RemoveAsync(string id, string section, CancellationToken cancellationToken) =>
        CallAsync(id, document => document.RemoveAsync(section), cancellationToken);

    public async ValueTask<DocumentSummary?> SummarizeAsync(string id, CancellationToken cancellationToken)
    {
        var sections = await SelectAsync(id, "", cancellationToken);
        return sections.Count == 0 ? null : new DocumentSummary(sections.ConvertAll(section => new SectionSummary(section.Name, section.Length)));
    }

    public async ValueTask<List<SectionText>> SelectAsync(string id, string prefix, CancellationToken cancellationToken)
    {
        var sections = await CallAsync(id, document => document.SelectAsync(prefix), cancellationToken);
        return sections.ConvertAll(section => new SectionText(section.Name, Encoding.UTF8.GetByteCount(section.Text), section.Text));
    }

    public ValueTask<bool> DeleteAsync(string id, CancellationToken cancellationToken) =>
        CallAsync(id, document => document.DeleteAsync(), cancellationToken);

    public ValueTask<GrainPlace> LocateAsync(string id, CancellationToken cancellationToken) =>
        CallAsync(id, document => document.LocateAsync(), cancellationToken);

    public StoutStatistics GetStatistics() => stout.GetStatistics();

    private async ValueTask<T> CallAsync<T>(string id, Func<IDocumentGrain, Task<T>> call, CancellationToken cancellationToken)
    {
        var document = grains.GetGrain<IDocumentGrain>(id);
        try
        {
            return await repeated.CallAsync(() => call(document), cancellationToken);
        }
        catch (Exception error) when (GrainProblems.Of(error) is { } problem)
        {
            throw problem;
        }
    }
}
