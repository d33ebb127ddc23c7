namespace Stout.Orleans.Tests.Grains;

/// <summary>A cart whose deactivation waits for the test.</summary>
public sealed class LeavingCartGrain([StoutState("cart")] IStoutState<Cart> cart) : CartGrain(cart)
{
    /// <summary>Completes when activations may end.</summary>
    public static TaskCompletionSource MayLeave { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken) => MayLeave.Task;
}
