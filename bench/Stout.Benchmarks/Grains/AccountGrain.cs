using Orleans.Concurrency;
using Orleans.Runtime;

namespace Stout.Benchmarks.Grains;

/// <summary>A grain whose state any grain storage keeps.</summary>
internal class AccountGrain([PersistentState("account")] IPersistentState<Account> account) : Grain, IAccountGrain
{
    public Task ChangeAsync()
    {
        account.State.Balance++;
        return account.WriteStateAsync();
    }

    public Task LeaveAsync()
    {
        DeactivateOnIdle();
        return Task.CompletedTask;
    }
}

/// <summary>The same, with calls that overlap.</summary>
[Reentrant]
internal sealed class ReentrantAccountGrain([PersistentState("account")] IPersistentState<Account> account) : AccountGrain(account);
