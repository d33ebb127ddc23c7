using Orleans.Concurrency;
using Stout.Orleans;

namespace Stout.Benchmarks.Grains;

/// <summary>A grain whose state Stout's facet keeps.</summary>
[Reentrant]
internal sealed class FacetAccountGrain([StoutState("account")] IStoutState<Account> account) : Grain, IAccountGrain
{
    public Task ChangeAsync()
    {
        account.Change(static account => account.Balance++);
        return Task.CompletedTask;
    }

    public Task LeaveAsync()
    {
        DeactivateOnIdle();
        return Task.CompletedTask;
    }
}
