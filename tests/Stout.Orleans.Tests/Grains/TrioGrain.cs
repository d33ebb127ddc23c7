namespace Stout.Orleans.Tests.Grains;

/// <inheritdoc/>
public sealed class TrioGrain(
    [PersistentState("one")] IPersistentState<TestState> one,
    [PersistentState("two", "PubSubStore")] IPersistentState<TestState> two,
    [PersistentState("three", "profiles")] IPersistentState<TestState> three) : Grain, ITrioGrain
{
    public Task WriteAsync(int number) => Task.WhenAll(new[] { one, two, three }.Select(state =>
    {
        state.State.Number = number;
        return state.WriteStateAsync();
    }));

    public Task<int[]> ReadAsync() => Task.FromResult(new[] { one.State.Number, two.State.Number, three.State.Number });
}
