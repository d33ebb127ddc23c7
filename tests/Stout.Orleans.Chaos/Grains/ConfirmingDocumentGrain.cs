namespace Stout.Orleans.Chaos.Grains;

/// <summary>A document grain of which each reply waits until the store has confirmed the ownership.</summary>
[GrainType(DocumentKinds.Confirming)]
public sealed class ConfirmingDocumentGrain(
    [StoutState(DocumentKinds.StateName, ConfirmReads = true)] IStoutState<Document> state, EndSaves saves, ILocalSiloDetails silo, Planted planted)
    : DocumentGrain(state, saves, silo, planted)
{
    /// <inheritdoc/>
    protected override ValueTask ConfirmAsync() => ValueTask.CompletedTask;
}
