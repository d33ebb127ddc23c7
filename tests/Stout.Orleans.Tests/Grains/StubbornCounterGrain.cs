namespace Stout.Orleans.Tests.Grains;

/// <summary>A counter that stays active after a failed write, with a number in memory that the store may not have.</summary>
public sealed class StubbornCounterGrain([PersistentState("counter")] IPersistentState<TestState> state) : Grain, IStubbornCounterGrain
{
    public async Task<bool> TryAddAsync(int amount)
    {
        state.State.Number += amount;
        try
        {
            await state.WriteStateAsync();
            return true;
        }
        catch (InvalidOperationException)
        {
            return false;
        }
        catch (OrleansException)
        {
            return false;
        }
    }

    public Task<int> ReadAsync() => Task.FromResult(state.State.Number);
}
