using Orleans.Concurrency;

namespace Stout.Orleans.Chaos.Grains;

/// <summary>A document in a facet: calls interleave, and their writes share requests.</summary>
[Reentrant]
[GrainType(DocumentKinds.Facet)]
public class DocumentGrain : Grain, IDocumentGrain
{
    private readonly IStoutState<Document> _state;
    private readonly EndSaves _saves;
    private readonly Ownership _ownership;
    private readonly PlantedBug _bug;
    private string? _armed;

    /// <summary>Makes the grain.</summary>
    public DocumentGrain([StoutState(DocumentKinds.StateName)] IStoutState<Document> state, EndSaves saves, ILocalSiloDetails silo, Planted planted)
    {
        ArgumentNullException.ThrowIfNull(silo);
        ArgumentNullException.ThrowIfNull(planted);
        (_state, _saves, _ownership, _bug) = (state, saves, new Ownership(GrainContext, silo.Name), planted.Bug);
    }

    /// <inheritdoc/>
    public override Task OnActivateAsync(CancellationToken cancellationToken)
    {
        // The facet has claimed and read its key before.
        _ownership.Begin();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public async Task<View> WriteAsync(string value, bool waitsInside)
    {
        var before = _ownership.Show(_state.Value);
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
        var view = _ownership.Show(_state.Value);
        if (confirmed)
            await ConfirmAsync();
        return view;
    }

    /// <inheritdoc/>
    public Task ArmAsync(string value)
    {
        _armed = value;
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken)
    {
        // The deactivation does not wait: the facet makes the value durable before the activation is gone.
        if (_armed is { } value)
        {
            _ = _saves.RunAsync(this.GetPrimaryKeyString(), value, async () =>
            {
                _state.Change(document => document.Log.Add(value));
                await _state.WhenSafeAsync();
            });
        }

        return Task.CompletedTask;
    }

    /// <summary>Waits until the store has confirmed the ownership.</summary>
    protected virtual ValueTask ConfirmAsync() => _bug == PlantedBug.UnconfirmedReads ? ValueTask.CompletedTask : _state.ConfirmAsync();
}
