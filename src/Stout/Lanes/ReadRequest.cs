using Stout.Storage;

namespace Stout.Lanes;

/// <summary>One read request to the store, for fills or for owner checks.</summary>
internal sealed class ReadRequest : StoreCall
{
    public List<KeyFill> Fills { get; } = [];

    public List<OwnerCheck> Checks { get; } = [];

    public ReadBatch Batch { get; } = new();
}
