using Orleans.Concurrency;

namespace Stout.Orleans.Chaos.Grains;

/// <summary>A document in a facet: calls interleave, and their writes share requests.</summary>
[Reentrant]
[GrainType(DocumentKinds.Facet)]
public class DocumentGrain : OwningGrain, IDocumentGrain
{
    private readonly IStoutState<Document> _state;

    /// <summary>Makes the grain.</summary>
    public DocumentGrain([StoutState(DocumentKinds.StateName)] IStoutState<Document> state, EndSaves saves, ILocalSiloDetails silo, Planted planted)
        : base(saves, silo, planted) => _state = state;

    /// <inheritdoc/>
    public async Task<View> WriteAsync(string value, bool waitsInside)
    {
        var before = Ownership.Show(_state.Value);
        _state.Change(document => document.Log.Add(value));
        if (!waitsInside)
            return before;
        await _state.WhenSafeAsync();
        await Task.Yield();
        return before;
    }

    /// <inheritdoc/>
    public async Task<View> ReadAsync(bool confirmed)
    {
        var view = Ownership.Show(_state.Value);
        if (confirmed)
            await ConfirmAsync();
        return view;
    }

    /// <inheritdoc/>
    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken)
    {
        // The deactivation does not wait for the save: the facet makes the value durable before the activation is gone.
        if (Armed is { } value)
        {
            _ = Saves.RunAsync(this.GetPrimaryKeyString(), value, async () =>
            {
                _state.Change(document => document.Log.Add(value));
                await _state.WhenSafeAsync();
            });
        }

        return Task.CompletedTask;
    }

    /// <summary>Waits until the store has confirmed the ownership.</summary>
    protected virtual ValueTask ConfirmAsync() => Bug == PlantedBug.UnconfirmedReads ? ValueTask.CompletedTask : _state.ConfirmAsync();
}
