using Orleans.Storage;

namespace Stout.Orleans;

/// <summary>How a provider of grain storage behaves. The store and the batching are options of the Stout of the provider's name.</summary>
public sealed class StoutGrainStorageOptions : IStorageProviderSerializerOptions
{
    /// <summary>
    /// Makes states into bytes. Default: the serializer that is registered under the provider's name, otherwise the silo's own, which is Orleans' JSON.
    /// </summary>
    public IGrainStorageSerializer GrainStorageSerializer { get; set; } = null!;

    /// <summary>
    /// Whether nothing remains of a state that is cleared. Otherwise a mark with an ETag of its own remains, as with Orleans' ADO.NET provider. Default: false.
    /// </summary>
    public bool DeleteStateOnClear { get; set; }

    /// <summary>How states are protected against a second activation of the same grain. Default: by claims.</summary>
    public GrainOwnership Ownership { get; set; } = GrainOwnership.Claim;
}
