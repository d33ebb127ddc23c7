namespace Stout.Orleans.Chaos.Grains;

/// <summary>The base class of the document grains of every kind.</summary>
public abstract class OwningGrain : Grain
{
    private protected OwningGrain(EndSaves saves, ILocalSiloDetails silo, Planted planted)
    {
        ArgumentNullException.ThrowIfNull(silo);
        ArgumentNullException.ThrowIfNull(planted);
        (Saves, Ownership, Bug) = (saves, new Ownership(GrainContext, silo.Name), planted.Bug);
    }

    private protected EndSaves Saves { get; }

    private protected Ownership Ownership { get; }

    private protected PlantedBug Bug { get; }

    /// <summary>The value that the activation writes when it is deactivated; null for no value.</summary>
    private protected string? Armed { get; private set; }

    /// <inheritdoc/>
    public override Task OnActivateAsync(CancellationToken cancellationToken)
    {
        // The grain storage has claimed the key and read the state before this call.
        Ownership.Begin();
        return Task.CompletedTask;
    }

    /// <inheritdoc cref="IDocumentGrain.ArmAsync"/>
    public Task ArmAsync(string value)
    {
        Armed = value;
        return Task.CompletedTask;
    }
}
