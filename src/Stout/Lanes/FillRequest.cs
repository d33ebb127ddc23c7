namespace Stout.Lanes;

/// <summary>One caller of Fill, with its key and epoch.</summary>
internal sealed class FillRequest(PartitionKey key, long epoch, object? requester = null)
    : TaskCompletionSource<KeyHandle>(TaskCreationOptions.RunContinuationsAsynchronously)
{
    public PartitionKey Key { get; } = key;

    public long Epoch { get; } = epoch;

    /// <summary>An object that the Deserialize callback receives if this request starts the fill.</summary>
    public object? Requester { get; } = requester;
}
