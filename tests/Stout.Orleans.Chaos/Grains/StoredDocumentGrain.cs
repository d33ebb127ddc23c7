using System.Diagnostics;

namespace Stout.Orleans.Chaos.Grains;

/// <summary>A document that Orleans persists: each call ends before the next begins.</summary>
[GrainType(DocumentKinds.Stored)]
public sealed class StoredDocumentGrain : OwningGrain, IDocumentGrain
{
    private readonly IPersistentState<Document> _state;

    /// <summary>Makes the grain.</summary>
    public StoredDocumentGrain([PersistentState(DocumentKinds.StateName)] IPersistentState<Document> state, EndSaves saves, ILocalSiloDetails silo, Planted planted)
        : base(saves, silo, planted) => _state = state;

    /// <inheritdoc/>
    public async Task<View> WriteAsync(string value, bool waitsInside)
    {
        var before = Ownership.Show(_state.State);
        await StoreAsync(value);
        return before;
    }

    /// <inheritdoc/>
    public async Task<View> ReadAsync(bool confirmed)
    {
        if (confirmed && Bug != PlantedBug.UnconfirmedReads)
            await ReadAgainAsync();
        return Ownership.Show(_state.State);
    }

    /// <inheritdoc/>
    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken) =>
        Armed is { } value ? Saves.RunAsync(this.GetPrimaryKeyString(), value, () => StoreAsync(value)) : Task.CompletedTask;

    /// <summary>Reads the state in the store. An owner that has lost the key claims it anew.</summary>
    private async Task ReadAgainAsync()
    {
        var before = Stopwatch.GetTimestamp();
        try
        {
            await _state.ReadStateAsync();
            Ownership.Begin(before);
        }
        catch
        {
            Ownership.Blur();
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
