namespace Stout.Orleans.Tests.Grains;

/// <inheritdoc/>
public sealed class PairGrain(
    [PersistentState("kept", "left")] IPersistentState<TestState> left,
    [StoutState("kept", "right")] IStoutState<TestState> rightFacet,
    [StoutState("facet", "left")] IStoutState<TestState> leftFacet,
    [PersistentState("facet", "right")] IPersistentState<TestState> right) : Grain, IPairGrain
{
    public async Task WriteAsync(int leftNumber, int rightNumber)
    {
        (left.State.Number, right.State.Number) = (leftNumber, rightNumber);
        leftFacet.Set(new TestState { Number = leftNumber });
        rightFacet.Set(new TestState { Number = rightNumber });
        await Task.WhenAll(left.WriteStateAsync(), right.WriteStateAsync());
    }

    public Task<int[]> ReadAsync() => Task.FromResult(
        new[] { left.State.Number, right.State.Number, leftFacet.Value?.Number ?? 0, rightFacet.Value?.Number ?? 0 });
}
