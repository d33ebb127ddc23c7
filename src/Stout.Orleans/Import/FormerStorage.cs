using System.Collections.Concurrent;
using Orleans.Runtime;
using Orleans.Storage;
using Stout.Orleans.Diagnostics;

namespace Stout.Orleans.Import;

/// <summary>
/// The grain storage whose states a provider imports. A record is fenced by a text in the place of its value, written if the record still has the ETag
/// that was read. So an activation that has the record in memory can't write it, and no serializer reads the text as a state.
/// </summary>
internal sealed class FormerStorage(string name, bool fences, Func<IGrainStorage> resolve, OrleansTelemetry telemetry)
{
    /// <summary>The text that fences a record. A JSON serializer reads it only as a string, and it is not valid base64.</summary>
    public const string Fence = "Stout has this state.";

    private readonly Lazy<IGrainStorage> _storage = new(resolve);
    private readonly ConcurrentDictionary<Type, Lazy<Task<string?>>> _checks = new();

    public string Name => name;

    public bool Fences => fences;

    public IGrainStorage Storage => _storage.Value;

    /// <summary>Whether a record holds the text that fences it.</summary>
    public async Task<bool> HasFenceAsync(string stateName, GrainId grainId)
    {
        var state = new GrainState<string>(string.Empty);
        try
        {
            await Storage.ReadStateAsync(stateName, grainId, state).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // The caller has the error of its own read, which says more.
            return false;
        }

        return state is { RecordExists: true, State: Fence };
    }

    /// <summary>Writes <see cref="Fence"/> in the place of a value.</summary>
    /// <returns>The new ETag.</returns>
    /// <exception cref="InconsistentStateException">The record has another ETag.</exception>
    public async Task<string?> FenceAsync(string stateName, GrainId grainId, string? etag)
    {
        var state = new GrainState<string>(Fence, etag) { RecordExists = etag is not null };
        await Storage.WriteStateAsync(stateName, grainId, state).ConfigureAwait(false);
        return state.ETag;
    }

    /// <summary>
    /// Tries the fence on a grain that does not exist, once for each type of state. The former storage must refuse a write with an old ETag, and must not
    /// read the text as a value of the type.
    /// </summary>
    /// <exception cref="GrainStateNotReadException">The former storage can't fence states of this type.</exception>
    public async Task CheckAsync<T>(string stateName, GrainId grainId, Func<T> create)
    {
        var check = _checks.GetOrAdd(typeof(T), _ => new Lazy<Task<string?>>(() => ProbeAsync(stateName, grainId, create)));
        string? defect;
        try
        {
            defect = await check.Value.ConfigureAwait(false);
        }
        catch (Exception error)
        {
            Forget();
            throw Failed(stateName, grainId, error);
        }

        if (defect is null)
            return;
        Forget();
        throw new GrainStateNotReadException(
            $"The state '{stateName}' of the grain {grainId} was not imported: the grain storage '{name}' {defect}, so records can't be fenced. "
            + $"Stop all silos that use it, and set {nameof(StoutGrainStorageOptions.FenceImported)} to false.",
            stateName,
            grainId);

        void Forget() => _checks.TryRemove(new KeyValuePair<Type, Lazy<Task<string?>>>(typeof(T), check));
    }

    /// <summary>Logs that a silo has written a state through this storage while the state was imported.</summary>
    public void Changed() => telemetry.FormerChanged(name);

    public GrainStateNotReadException Failed(string stateName, GrainId grainId, Exception error) => new(
        $"The state '{stateName}' of the grain {grainId} could not be imported from the grain storage '{name}'. {error.Message}", stateName, grainId, error);

    /// <summary>Returns the storage's defect as the predicate of a sentence; null if the storage can fence states of the type.</summary>
    private async Task<string?> ProbeAsync<T>(string stateName, GrainId grainId, Func<T> create)
    {
        var probe = GrainId.Create(grainId.Type, $"stout-probe-{Guid.NewGuid():N}");
        var first = await FenceAsync(stateName, probe, null).ConfigureAwait(false);
        var second = await FenceAsync(stateName, probe, first).ConfigureAwait(false);
        var (refuses, hides) = (await RefusesAsync(stateName, probe, first).ConfigureAwait(false), await HidesAsync(stateName, probe, create).ConfigureAwait(false));
        if (refuses)
            await Storage.ClearStateAsync(stateName, probe, new GrainState<T>(create(), second) { RecordExists = true }).ConfigureAwait(false);
        return !refuses ? "accepts a write with an old ETag"
            : !hides ? $"reads a text as a {typeof(T)}"
            : null;
    }

    private async Task<bool> RefusesAsync(string stateName, GrainId probe, string? oldETag)
    {
        try
        {
            await FenceAsync(stateName, probe, oldETag).ConfigureAwait(false);
            return false;
        }
        catch (InconsistentStateException)
        {
            return true;
        }
    }

    private async Task<bool> HidesAsync<T>(string stateName, GrainId probe, Func<T> create)
    {
        try
        {
            await Storage.ReadStateAsync(stateName, probe, new GrainState<T>(create())).ConfigureAwait(false);
            return false;
        }
        catch (Exception)
        {
            // If the record does not hold the fence, the error has another cause.
            if (!await HasFenceAsync(stateName, probe).ConfigureAwait(false))
                throw;
            return true;
        }
    }
}
