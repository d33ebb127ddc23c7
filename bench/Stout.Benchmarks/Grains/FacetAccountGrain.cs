using Orleans.Concurrency;
using Stout.Orleans;

namespace Stout.Benchmarks.Grains;

/// <summary>A grain whose state Stout's facet keeps. Reads are answered from memory, without a request to the store.</summary>
[Reentrant]
internal class FacetAccountGrain([StoutState("account")] IStoutState<Account> account) : AccountGrainBase
{
    public override Task ChangeAsync()
    {
        account.Change(static account => account.Balance++);
        return Task.CompletedTask;
    }

    public override Task<long> ReadAsync() => Task.FromResult(account.Value?.Balance ?? 0);
}

/// <summary>A <see cref="FacetAccountGrain"/> whose reads the store confirms.</summary>
[Reentrant]
internal sealed class ConfirmedAccountGrain([StoutState("account", ConfirmReads = true)] IStoutState<Account> account) : FacetAccountGrain(account);
