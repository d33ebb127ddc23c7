using System.Diagnostics;

namespace Stout.Orleans.Chaos.Grains;

/// <summary>A document that Orleans persists: each call ends before the next begins.</summary>
[GrainType(DocumentKinds.Stored)]
public sealed class StoredDocumentGrain : Grain, IDocumentGrain
{
    private readonly IPersistentState<Document> _state;
    private readonly EndSaves _saves;
    private readonly Ownership _ownership;
    private readonly PlantedBug _bug;
    private string? _armed;

    /// <summary>Makes the grain.</summary>
    public StoredDocumentGrain([PersistentState(DocumentKinds.StateName)] IPersistentState<Document> state, EndSaves saves, ILocalSiloDetails silo, Planted planted)
    {
        ArgumentNullException.ThrowIfNull(silo);
        ArgumentNullException.ThrowIfNull(planted);
        (_state, _saves, _ownership, _bug) = (state, saves, new Ownership(GrainContext, silo.Name), planted.Bug);
    }

    /// <inheritdoc/>
    public override Task OnActivateAsync(CancellationToken cancellationToken)
    {
        // Orleans has read the state before.
        _ownership.Begin();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public async Task<View> WriteAsync(string value, bool waitsInside)
    {
        var before = _ownership.Show(_state.State);
        await StoreAsync(value);
        return before;
    }

    /// <inheritdoc/>
    public async Task<View> ReadAsync(bool confirmed)
    {
        if (confirmed && _bug != PlantedBug.UnconfirmedReads)
            await ReadAgainAsync();
        return _ownership.Show(_state.State);
    }

    /// <inheritdoc/>
    public Task ArmAsync(string value)
    {
        _armed = value;
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken) =>
        _armed is { } value ? _saves.RunAsync(this.GetPrimaryKeyString(), value, () => StoreAsync(value)) : Task.CompletedTask;

    /// <summary>Reads the state in the store. An owner that has lost the key claims it anew.</summary>
    private async Task ReadAgainAsync()
    {
        var before = Stopwatch.GetTimestamp();
        try
        {
            await _state.ReadStateAsync();
            _ownership.Begin(before);
        }
        catch
        {
            _ownership.Blur();
            throw;
        }
    }

    private async Task StoreAsync(string value)
    {
        var before = _state.State;
        _state.State = before.With(value);
        try
        {
            await _state.WriteStateAsync();
        }
        catch
        {
            _state.State = before;
            throw;
        }
    }
}
