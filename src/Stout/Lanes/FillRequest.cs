namespace Stout.Lanes;

/// <summary>What a caller of Fill asks for.</summary>
internal sealed class FillRequest(PartitionKey key, long epoch, object? requester = null)
    : TaskCompletionSource<KeyHandle>(TaskCreationOptions.RunContinuationsAsynchronously)
{
    public PartitionKey Key { get; } = key;

    public long Epoch { get; } = epoch;

    /// <summary>Handed to the Deserialize callback of the fill that this request begins.</summary>
    public object? Requester { get; } = requester;
}
