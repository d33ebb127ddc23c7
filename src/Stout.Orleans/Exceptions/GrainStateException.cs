using Orleans.Runtime;

namespace Stout.Orleans;

/// <summary>A state of a grain could not be read or written. The subclass says what happened; the inner exception says why.</summary>
[GenerateSerializer]
[Alias("Stout.Orleans.GrainStateException")]
public abstract class GrainStateException : OrleansException
{
    private protected GrainStateException(string message, string stateName, GrainId grainId, Exception? innerException)
        : base(message, CarriedExceptions.Note(innerException)!)
    {
        StateName = stateName;
        GrainId = grainId;
    }

    /// <summary>The name of the state.</summary>
    [Id(0)]
    public string StateName { get; private set; }

    /// <summary>The grain whose state it is.</summary>
    [Id(1)]
    public GrainId GrainId { get; private set; }
}
