using Stout.Documents;

namespace SectionedDocuments.Hosting;

/// <summary>Logs the name of the store at the start, and the statistics of its use at the end.</summary>
internal sealed partial class DocumentReport(
    IServiceProvider services, IConfiguration configuration, ILogger<DocumentReport> logger) : IHostedLifecycleService
{
    public Task StartingAsync(CancellationToken cancellationToken)
    {
        LogStarting(configuration.StoreName());
        return Task.CompletedTask;
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken)
    {
        var figures = services.GetRequiredService<DocumentStore>().GetStatistics();
        LogDrained(figures.Changes, figures.KeysWritten, figures.WriteRequests);
        return Task.CompletedTask;
    }

    [LoggerMessage(1, LogLevel.Information, "Documents are kept in {Store}, where the settings of Stout:{Store} say")]
    private partial void LogStarting(string store);

    [LoggerMessage(2, LogLevel.Information, "Drained: {Changes} changes in {KeysWritten} keys written by {WriteRequests} requests")]
    private partial void LogDrained(long changes, long keysWritten, long writeRequests);
}
