using Microsoft.Extensions.DependencyInjection;
using Orleans.Concurrency;

namespace Stout.Orleans.Tests.Grains;

/// <inheritdoc/>
[Reentrant]
public class CartGrain([StoutState("cart")] IStoutState<Cart> cart) : Grain, ICartGrain
{
    public Task<int> AddAsync(string item) => Task.FromResult(cart.Change(cart =>
    {
        cart.Items.Add(item);
        return cart.Items.Count;
    }));

    public async Task AddAndWaitAsync(string item)
    {
        await AddAsync(item);
        await cart.WhenSafeAsync();
        await PassGateAsync();
    }

    public Task PassGateAsync() => ServiceProvider.GetRequiredService<Gate>().PassAsync();

    public virtual Task SetPartAsync(string part, string item)
    {
        cart.Set(new Cart { Items = [item] }, part);
        return Task.CompletedTask;
    }

    public Task<bool> RemovePartAsync(string part) => Task.FromResult(cart.Remove(part));

    public Task<IReadOnlyList<string>> ItemsAsync() => Task.FromResult<IReadOnlyList<string>>([.. cart.Value?.Items ?? []]);

    public Task<IReadOnlyDictionary<string, string>> PartsAsync() => Task.FromResult<IReadOnlyDictionary<string, string>>(
        cart.Parts.ToDictionary(part => part, part => string.Join(",", cart.GetPart(part)!.Items)));

    public Task ClearAsync()
    {
        cart.Clear();
        return Task.CompletedTask;
    }

    public Task ThrowAsync(bool afterChange)
    {
        cart.Change(cart =>
        {
            if (afterChange)
                cart.Items.Add("half");
            throw new ArgumentException("as it was told to");
        });
        return Task.CompletedTask;
    }

    public Task LeaveAsync()
    {
        DeactivateOnIdle();
        return Task.CompletedTask;
    }

    public Task<long> EpochAsync() => Task.FromResult(cart.Epoch);

    public Task<string> ActivationAsync() => Task.FromResult(GrainContext.ActivationId.ToString());

    public Task<int> ReadElsewhereAsync() => Task.Run(() => cart.Value!.Items.Count);

    public Task<int> ChangeLaterAsync()
    {
        var runs = 0;
        void Change<TResult>(TResult result) => Assert.Equal("change", Assert.Throws<ArgumentException>(() => cart.Change(cart =>
        {
            runs++;
            cart.Items.Add("later");
            return result;
        })).ParamName);

        Change(Task.CompletedTask);
        Change(Task.FromResult(1));
        Change(default(ValueTask));
        Change(new ValueTask<int>(1));
        Change(AsyncEnumerable.Empty<int>());
        return Task.FromResult(runs);
    }
}
