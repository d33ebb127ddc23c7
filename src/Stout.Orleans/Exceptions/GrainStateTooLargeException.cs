using Orleans.Runtime;

namespace Stout.Orleans;

/// <summary>A state is larger than its store can hold. It was not written, and the stored state is as before.</summary>
[GenerateSerializer]
[Alias("Stout.Orleans.GrainStateTooLargeException")]
public sealed class GrainStateTooLargeException : GrainStateException
{
    /// <summary>Reports a state above the store's limit.</summary>
    /// <param name="stateName">The name of the state.</param>
    /// <param name="grainId">The grain.</param>
    /// <param name="size">The size of the serialized state in bytes.</param>
    /// <param name="limit">The largest size that the store holds, in bytes.</param>
    public GrainStateTooLargeException(string stateName, GrainId grainId, long size, long limit)
        : base($"The state '{stateName}' of the grain {grainId} was not written: it has {size} bytes, and the store allows {limit}.", stateName, grainId, null)
    {
        Size = size;
        Limit = limit;
    }

    /// <summary>The size of the serialized state in bytes.</summary>
    [Id(0)]
    public long Size { get; private set; }

    /// <summary>The largest size that the store holds, in bytes.</summary>
    [Id(1)]
    public long Limit { get; private set; }
}
