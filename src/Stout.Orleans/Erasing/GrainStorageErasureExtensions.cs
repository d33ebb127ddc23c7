using System.Runtime.CompilerServices;
using Orleans.Metadata;
using Orleans.Runtime;
using Orleans.Storage;
using Stout.Orleans.Storage;

namespace Stout.Orleans;

/// <summary>Lists the grains that have a state, and erases states, without activating the grains.</summary>
public static class GrainStorageErasureExtensions
{
    /// <summary>
    /// Lists the grains of a type that have a state, each once, in no particular order. A grain that has the state from the start of the listing to its end is
    /// listed. A state that is created or deleted meanwhile may be missing. The listing claims nothing, and holds one page of
    /// keys in memory.
    /// </summary>
    /// <remarks>
    /// The mark of a state without data is listed too. A cleared state leaves one unless <see cref="StoutGrainStorageOptions.DeleteStateOnClear"/> is set, an
    /// erased state with <see cref="StoutGrainStorageOptions.ImportFrom"/>, and each deleted state if <see cref="StoutGrainStorageOptions.FenceImported"/> is
    /// false.
    /// </remarks>
    /// <param name="storage">A Stout grain storage.</param>
    /// <param name="stateName">The state's name.</param>
    /// <param name="grainType">The type of the grains, as in their ids.</param>
    /// <param name="cancellationToken">Ends the listing.</param>
    /// <exception cref="ArgumentException">The storage is not one of this package.</exception>
    /// <exception cref="StoutException">The store could not be asked, or the silo stops.</exception>
    /// <exception cref="NotSupportedException">The store can't list.</exception>
    public static IAsyncEnumerable<GrainId> ListGrainsAsync(
        this IGrainStorage storage, string stateName, GrainType grainType, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stateName);
        return ListAsync(StoutGrainStorage.Of(storage), stateName, grainType, cancellationToken);
    }

    /// <summary>
    /// Erases states, such as those of a person. Each key is claimed, so that the store refuses all writes of a live activation, and the stored state is
    /// deleted. A live activation is then told to end. With <see cref="StoutGrainStorageOptions.ImportFrom"/> a mark without data remains, so that the state is not
    /// imported again. The mark's key has the grain's key, which is listed.
    /// </summary>
    /// <remarks>
    /// An erasure can be repeated: a state that is gone is <see cref="ErasureOutcome.Absent"/>. Grains that are called again may write new states. With <see
    /// cref="GrainOwnership.None"/> a read of the state may fail during the erasure, and after <see cref="ErasureOutcome.Failed"/> until a repetition succeeds.
    /// Other providers, the former storage of an import, reminders, streams and backups are not reached. Before its first use on the silo, a state that no
    /// grain class declares is erased through each provider with the same keys.
    /// </remarks>
    /// <param name="storage">A Stout grain storage.</param>
    /// <param name="states">The states' names, each with its grain.</param>
    /// <param name="cancellationToken">Stops the waiting. States whose erasure has begun may be erased nevertheless.</param>
    /// <returns>The result of each state, in the order of <paramref name="states"/>. A failed state stops no other one.</returns>
    /// <exception cref="ArgumentException">The storage is not one of this package.</exception>
    /// <exception cref="OperationCanceledException">The token has fired.</exception>
    public static async Task<IReadOnlyList<ErasedState>> EraseAsync(
        this IGrainStorage storage, IEnumerable<(string StateName, GrainId GrainId)> states, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(states);
        var stout = StoutGrainStorage.Of(storage);
        var all = states.ToArray();
        var results = new ErasedState[all.Length];
        await Parallel.ForAsync(0, all.Length, new ParallelOptions { MaxDegreeOfParallelism = StateEraser.MostAtOnce, CancellationToken = cancellationToken }, async (i, token) =>
            results[i] = await stout.Eraser.EraseAsync(all[i].StateName, all[i].GrainId, token).ConfigureAwait(false)).ConfigureAwait(false);
        return results;
    }

    private static async IAsyncEnumerable<GrainId> ListAsync(
        StoutGrainStorage storage, string stateName, GrainType grainType, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var prefix = storage.PrefixOf(stateName, grainType);
        await foreach (var key in storage.Store.ListAsync(prefix, cancellationToken).ConfigureAwait(false))
            yield return GrainId.Create(grainType, IdSpan.Create(key.Text[prefix.Length..]));
    }
}
