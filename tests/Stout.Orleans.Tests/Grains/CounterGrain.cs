namespace Stout.Orleans.Tests.Grains;

/// <inheritdoc/>
public sealed class CounterGrain([PersistentState("counter")] IPersistentState<TestState> state) : Grain, ICounterGrain
{
    private bool _savesAtTheEnd;

    public async Task<int> AddAsync(int amount)
    {
        state.State.Number += amount;
        await state.WriteStateAsync();
        return state.State.Number;
    }

    public Task SaveAtTheEndAsync(int number)
    {
        state.State.Number = number;
        _savesAtTheEnd = true;
        return Task.CompletedTask;
    }

    public Task<int> ReadAsync() => Task.FromResult(state.State.Number);

    public async Task<int> RereadAsync()
    {
        await state.ReadStateAsync();
        return state.State.Number;
    }

    public Task ClearAsync() => state.ClearStateAsync();

    public Task DeactivateAsync()
    {
        DeactivateOnIdle();
        return Task.CompletedTask;
    }

    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken) =>
        _savesAtTheEnd ? state.WriteStateAsync(cancellationToken) : Task.CompletedTask;
}
