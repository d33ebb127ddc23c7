using Stout.Storage;

namespace Stout.OpenTelemetry.Tests.Dashboards;

/// <summary>An application of the base layer whose Serialize callback returns only after a call of <see cref="Return"/>.</summary>
internal sealed class TroubledApplication : IStoutApplication
{
    private readonly TaskCompletionSource _returns = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Return() => _returns.TrySetResult();

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => default;

    public async ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
    {
        _ = batch[0].Write(SubKey.Root);
        await _returns.Task;
    }
}
