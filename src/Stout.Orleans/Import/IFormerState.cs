using Orleans.Storage;

namespace Stout.Orleans.Import;

/// <summary>One state in the former storage. The interface hides the type of the value.</summary>
internal interface IFormerState
{
    /// <summary>Whether imported records are fenced.</summary>
    bool Fences { get; }

    /// <summary>Reads the record.</summary>
    /// <exception cref="GrainStateException">The record could not be read, or Stout can't store its value.</exception>
    Task<FormerRecord> ReadAsync();

    /// <summary>Fences the record: overwrites it with a text that can't be read as a value, if the record still has the given ETag.</summary>
    /// <returns>Whether the record still had the ETag. Otherwise a silo has written the state through the former storage.</returns>
    /// <exception cref="GrainStateNotReadException">The former storage has failed. The text may or may not be written.</exception>
    Task<bool> TryFenceAsync(string? etag);
}
