using Microsoft.Extensions.DependencyInjection;
using Orleans.Storage;

namespace Stout.Orleans.Tests.Grains;

/// <inheritdoc/>
public class KeeperGrain([PersistentState("state")] IPersistentState<TestState> declared) : Grain, IKeeperGrain
{
    /// <summary>The same state. Since the class declares it, its key is handed over when the grain migrates.</summary>
    public IPersistentState<TestState> Declared => declared;

    private IGrainStorage Storage => ServiceProvider.GetRequiredKeyedService<IGrainStorage>("Default");

    public Task<Kept> ReadAsync() => CallAsync(0, null, state => Storage.ReadStateAsync("state", this.GetGrainId(), state));

    public Task<Kept> WriteAsync(int number, string? etag) => CallAsync(number, etag, state => Storage.WriteStateAsync("state", this.GetGrainId(), state));

    public Task<Kept> ClearAsync(string? etag) => CallAsync(0, etag, state => Storage.ClearStateAsync("state", this.GetGrainId(), state));

    private static async Task<Kept> CallAsync(int number, string? etag, Func<GrainState<TestState>, Task> call)
    {
        var state = new GrainState<TestState>(new TestState { Number = number }, etag);
        List<string> errors = [];
        try
        {
            await call(state);
        }
        catch (Exception error)
        {
            for (var one = error; one is not null; one = one.InnerException)
                errors.Add(one.GetType().Name);
        }

        return new Kept(state.State!.Number, state.ETag, state.RecordExists, [.. errors]);
    }
}
