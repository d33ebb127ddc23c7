namespace Stout.Orleans.Tests.Grains;

/// <summary>A grain with two persistent states of one name, which no grain may have.</summary>
public sealed class MixedGrain(
    [PersistentState("mixed", "left")] IPersistentState<TestState> left, [PersistentState("mixed", "elsewhere")] IPersistentState<TestState> right) : Grain, IPairGrain
{
    public Task WriteAsync(int leftNumber, int rightNumber) => Task.CompletedTask;

    public Task<int[]> ReadAsync() => Task.FromResult(new[] { left.State.Number, right.State.Number });
}
