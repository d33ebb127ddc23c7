using Stout.Storage;

namespace Stout.Lanes;

/// <summary>One read request to the store.</summary>
internal sealed class ReadRequest : StoreCall
{
    public List<KeyFill> Fills { get; } = [];

    public ReadBatch Batch { get; } = new();
}
