using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Service;

/// <summary>One running service for all tests of a class. Each test uses its own documents.</summary>
public sealed class SharedService : IAsyncLifetime
{
    private readonly TemporaryFolder _folder = new();
    private RunningService? _service;

    internal RunningService Service => _service!;

    public async ValueTask InitializeAsync() =>
        _service = await RunningService.StartAsync(_folder, "--SectionedDocuments:MaxBodyBytes=65536", "--Stout:Pacing:Law=NoBatching");

    public ValueTask DisposeAsync()
    {
        _service?.Dispose();
        _folder.Dispose();
        return ValueTask.CompletedTask;
    }
}
