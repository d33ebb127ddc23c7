using Stout.Storage;

namespace Stout.Lanes;

/// <summary>One read request to the store: of fills, or of questions for owners.</summary>
internal sealed class ReadRequest : StoreCall
{
    public List<KeyFill> Fills { get; } = [];

    public List<OwnerCheck> Checks { get; } = [];

    public ReadBatch Batch { get; } = new();
}
