using Stout;
using Stout.Documents;
using Stout.Sqlite;
using Stout.Storage;

namespace SectionedDocuments.Hosting;

/// <summary>
/// Opens the store before the server takes its first request, and drains it after the server has answered its last: hosted
/// services start in the order of their registration, the server being the last, and stop in reverse.
/// </summary>
internal sealed partial class DocumentHost(
    IStorageProxy proxy, SqliteOptions sqlite, DocumentStoreOptions options, ILogger<DocumentHost> logger) : IHostedService
{
    private DocumentStore? _store;
    private DocumentCollection<string>? _documents;

    /// <summary>The documents: a section is a part of one, its name the sub-key.</summary>
    public DocumentCollection<string> Documents => _documents ?? throw new InvalidOperationException("The store is not open.");

    public StoutStatistics Statistics => _store?.GetStatistics() ?? default;

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        LogOpening(Path.GetFullPath(sqlite.Path));
        _store = await DocumentStore.OpenAsync(proxy, options, cancellationToken: cancellationToken);
        _documents = _store.Collection<string>("documents");
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        if (_store is null)
            return;
        await _store.StopAsync(cancellationToken);
        var figures = _store.GetStatistics();
        LogDrained(figures.Changes, figures.KeysWritten, figures.WriteRequests);
        await _store.DisposeAsync();
    }

    [LoggerMessage(1, LogLevel.Information, "Documents are kept in {Path}")]
    private partial void LogOpening(string path);

    [LoggerMessage(2, LogLevel.Information, "Drained: {Changes} changes in {KeysWritten} keys written by {WriteRequests} requests")]
    private partial void LogDrained(long changes, long keysWritten, long writeRequests);
}
