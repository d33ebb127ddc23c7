using Orleans.Concurrency;
using Stout.Orleans;

namespace Stout.Benchmarks.Grains;

/// <summary>A grain whose state Stout's facet keeps. Reads rest on memory.</summary>
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

/// <summary>The same with confirmed reads.</summary>
[Reentrant]
internal sealed class ConfirmedAccountGrain([StoutState("account", ConfirmReads = true)] IStoutState<Account> account) : FacetAccountGrain(account);
