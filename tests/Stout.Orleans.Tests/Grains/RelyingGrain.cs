using Microsoft.Extensions.DependencyInjection;

namespace Stout.Orleans.Tests.Grains;

/// <inheritdoc/>
public sealed class RelyingGrain([PersistentState("relying")] IPersistentState<TestState> state) : Grain, IRelyingGrain
{
    private int _number;

    public Task WriteAsync() => state.WriteStateAsync();

    public Task<int> NumberAsync() => Task.FromResult(_number);

    public override async Task OnActivateAsync(CancellationToken cancellationToken)
    {
        if (!state.RecordExists)
            return;
        await ServiceProvider.GetRequiredService<Gate>().PassAsync();
        _number = await GrainFactory.GetGrain<ICounterGrain>(this.GetPrimaryKeyString()).ReadAsync();
    }
}
