#pragma warning disable ORLEANSEXP005 // Orleans' journaling is experimental.
using Microsoft.Extensions.DependencyInjection;
using Orleans.Journaling;

namespace Stout.Benchmarks.Grains;

/// <summary>A grain whose state Orleans' journaling keeps.</summary>
internal sealed class JournalAccountGrain([FromKeyedServices("account")] IDurableValue<Account> account) : DurableGrain, IAccountGrain
{
    public async Task ChangeAsync()
    {
        var state = account.Value ?? new Account();
        state.Balance++;
        account.Value = state;
        await WriteStateAsync();
    }

    public Task<long> ReadAsync() => Task.FromResult(account.Value?.Balance ?? 0);

    public Task<int> PortAsync() => Task.FromResult(AccountGrainBase.PortOf(RuntimeIdentity));

    public Task LeaveAsync()
    {
        DeactivateOnIdle();
        return Task.CompletedTask;
    }
}
