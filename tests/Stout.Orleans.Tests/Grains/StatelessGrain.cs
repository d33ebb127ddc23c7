namespace Stout.Orleans.Tests.Grains;

/// <inheritdoc/>
public sealed class StatelessGrain : Grain, IStatelessGrain
{
    public Task PingAsync() => Task.CompletedTask;
}
