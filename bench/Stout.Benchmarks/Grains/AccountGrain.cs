using Orleans.Concurrency;
using Orleans.Runtime;

namespace Stout.Benchmarks.Grains;

/// <summary>A grain whose state any grain storage keeps.</summary>
internal class AccountGrain([PersistentState("account")] IPersistentState<Account> account) : AccountGrainBase
{
    public override Task ChangeAsync()
    {
        account.State.Balance++;
        return account.WriteStateAsync();
    }

    public override Task<long> ReadAsync() => Task.FromResult(account.State.Balance);
}

/// <summary>The same, with calls that overlap. ADO.NET's rows leave the grain's class out, so the state has a name of its own.</summary>
[Reentrant]
internal sealed class ReentrantAccountGrain([PersistentState("hot")] IPersistentState<Account> account) : AccountGrain(account);
