using Orleans.Concurrency;
using Orleans.Runtime;

namespace Stout.Benchmarks.Grains;

/// <summary>A grain whose state is in the silo's default grain storage.</summary>
internal class AccountGrain([PersistentState("account")] IPersistentState<Account> account) : AccountGrainBase
{
    public override Task ChangeAsync()
    {
        account.State.Balance++;
        return account.WriteStateAsync();
    }

    public override Task<long> ReadAsync() => Task.FromResult(account.State.Balance);
}

/// <summary>
/// An <see cref="AccountGrain"/> whose calls overlap. Its state has another name. Otherwise both grains would share rows of ADO.NET's provider, whose keys do
/// not contain the grain's class.
/// </summary>
[Reentrant]
internal sealed class ReentrantAccountGrain([PersistentState("hot")] IPersistentState<Account> account) : AccountGrain(account);
