using System.Collections.Concurrent;
using System.Globalization;
using System.Text.Json;
using Orleans.Storage;

namespace Stout.Orleans.Tests.Import;

/// <summary>A grain storage that grains used before: records of JSON with ETags, and hooks for each grain.</summary>
public sealed class FormerTable : IGrainStorage
{
    private readonly Lock _lock = new();
    private readonly Dictionary<(string StateName, GrainId GrainId), (string? Json, int Version)> _records = [];

    /// <summary>Runs before a grain's record is read.</summary>
    public ConcurrentDictionary<GrainId, Action> BeforeRead { get; } = new();

    /// <summary>Runs before a grain's record is written.</summary>
    public ConcurrentDictionary<GrainId, Action> BeforeWrite { get; } = new();

    /// <summary>Runs after a grain's record was written.</summary>
    public ConcurrentDictionary<GrainId, Action> AfterWrite { get; } = new();

    /// <summary>Whether writes with an old ETag are accepted.</summary>
    public bool IgnoresETags { get; init; }

    /// <summary>Whether a value of another type is read as a new state.</summary>
    public bool IsLenient { get; init; }

    /// <summary>The JSON of a record; null without a record, or if it was cleared.</summary>
    public string? this[string stateName, GrainId grainId]
    {
        get
        {
            lock (_lock)
                return _records.GetValueOrDefault((stateName, grainId)).Json;
        }
    }

    public Task ReadStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        BeforeRead.GetValueOrDefault(grainId)?.Invoke();
        lock (_lock)
        {
            var isKnown = _records.TryGetValue((stateName, grainId), out var record);
            grainState.State = record.Json is null ? Activator.CreateInstance<T>() : Read<T>(record.Json);
            grainState.ETag = isKnown ? Text(record.Version) : null;
            grainState.RecordExists = record.Json is not null;
        }

        return Task.CompletedTask;
    }

    public Task WriteStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        Write(stateName, grainId, JsonSerializer.Serialize(grainState.State), grainState);
        grainState.RecordExists = true;
        return Task.CompletedTask;
    }

    public Task ClearStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        Write(stateName, grainId, null, grainState);
        grainState.RecordExists = false;
        return Task.CompletedTask;
    }

    private static string Text(int version) => version.ToString(CultureInfo.InvariantCulture);

    private T Read<T>(string json)
    {
        try
        {
            return JsonSerializer.Deserialize<T>(json)!;
        }
        catch (JsonException) when (IsLenient)
        {
            return Activator.CreateInstance<T>();
        }
    }

    private void Write<T>(string stateName, GrainId grainId, string? json, IGrainState<T> grainState)
    {
        BeforeWrite.GetValueOrDefault(grainId)?.Invoke();
        lock (_lock)
        {
            var isKnown = _records.TryGetValue((stateName, grainId), out var record);
            if (!IgnoresETags && grainState.ETag != (isKnown ? Text(record.Version) : null))
                throw new InconsistentStateException("Version conflict", isKnown ? Text(record.Version) : null, grainState.ETag);
            _records[(stateName, grainId)] = (json, record.Version + 1);
            grainState.ETag = Text(record.Version + 1);
        }

        AfterWrite.GetValueOrDefault(grainId)?.Invoke();
    }
}
