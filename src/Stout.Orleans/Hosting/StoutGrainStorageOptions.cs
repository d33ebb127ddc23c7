using Orleans.Storage;

namespace Stout.Orleans;

/// <summary>The options of a provider of grain storage. The options of its store and of batching belong to the Stout client with the provider's name.</summary>
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

    /// <summary>
    /// The name of the grain storage that the grains used before: any <see cref="IGrainStorage"/> that is registered under that name. If the provider has
    /// no state of a grain, it reads, copies and fences that storage's record before the grain sees the state. Default: null, no import.
    /// </summary>
    public string? ImportFrom { get; set; }

    /// <summary>
    /// Whether an import overwrites the state's record in the former storage with a text, if the record still has the ETag that was read. Silos that still
    /// use the former storage can then neither write nor read the state. False leaves all records as they are; stop all silos that use the former storage
    /// before. With false, a deleted state leaves a mark. Default: true.
    /// </summary>
    public bool FenceImported { get; set; } = true;

    /// <summary>
    /// Begins the provider's keys, so that they differ from the keys of other providers on the same store. 1 to 100 characters. States are
    /// found only under the prefix with which they were written. Default: null, no prefix.
    /// </summary>
    public string? KeyPrefix { get; set; }

    internal StoutGrainStorageOptions Copy() => (StoutGrainStorageOptions)MemberwiseClone();
}
