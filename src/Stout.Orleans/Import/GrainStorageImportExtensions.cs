using Orleans.Runtime;
using Orleans.Storage;
using Stout.Orleans.Storage;

namespace Stout.Orleans;

/// <summary>Imports states from the storage that the grains used before, without activating the grains.</summary>
public static class GrainStorageImportExtensions
{
    /// <summary>
    /// Imports one state, as its grain's first read does (<see cref="StoutGrainStorageOptions.ImportFrom"/>). A state that the provider has stays as it is,
    /// and its owner is not fenced. Repeat a call that has failed.
    /// </summary>
    /// <typeparam name="T">The type of the state, as the former storage reads it.</typeparam>
    /// <param name="storage">A Stout grain storage.</param>
    /// <param name="stateName">The state's name.</param>
    /// <param name="grainId">The grain.</param>
    /// <param name="cancellationToken">Stops the waiting. The import may go on.</param>
    /// <returns>True if the state was imported; false if the provider had it already, or if the former storage has no record.</returns>
    /// <exception cref="ArgumentException">The storage is not one of this package.</exception>
    /// <exception cref="InvalidOperationException">The storage imports nothing: <see cref="StoutGrainStorageOptions.ImportFrom"/> is not set.</exception>
    /// <exception cref="GrainStateException">The state could not be imported. The former storage still has it, and may have it fenced.</exception>
    public static async Task<bool> ImportAsync<T>(
        this IGrainStorage storage, string stateName, GrainId grainId, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stateName);
        var stout = StoutGrainStorage.Of(storage);
        if (!stout.Imports)
            throw new InvalidOperationException($"The Stout grain storage '{stout.Name}' imports nothing: its option {nameof(StoutGrainStorageOptions.ImportFrom)} is not set.");
        try
        {
            return await stout.ImportAsync<T>(stateName, grainId, cancellationToken).ConfigureAwait(false);
        }
        catch (StoutException error)
        {
            throw StateErrors.OfRead(error, stateName, grainId);
        }
    }
}
