namespace Stout.Lanes;

/// <summary>What a caller of Fill asks for.</summary>
internal sealed class FillRequest(PartitionKey key, long epoch)
    : TaskCompletionSource<KeyHandle>(TaskCreationOptions.RunContinuationsAsynchronously)
{
    public PartitionKey Key { get; } = key;

    public long Epoch { get; } = epoch;
}
