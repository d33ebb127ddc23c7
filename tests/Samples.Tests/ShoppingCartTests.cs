using System.Collections.Concurrent;
using System.Net;
using System.Net.Http.Json;
using SectionedDocuments.Tests.Processes;

namespace Samples.Tests;

/// <summary>Two replicas, each in its own process, on one PostgreSQL database.</summary>
public sealed class ShoppingCartTests(SharedDatabase database) : IClassFixture<SharedDatabase>, IAsyncLifetime
{
    private const int Adds = 300;
    private const int Products = 7;

    private readonly TemporaryFolder _folder = new();
    private readonly RunningService?[] _replicas = new RunningService?[2];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        Assert.SkipWhen(database.WhyNot is not null, database.WhyNot ?? "");
        for (var i = 0; i < _replicas.Length; i++)
        {
            _replicas[i] = await RunningService.StartCommandAsync(_folder, RunningProgram.Dotnet(
                Programs.ShoppingCart, "--urls=http://127.0.0.1:0", "--ConnectionStrings:Carts=" + database.ConnectionString));
        }
    }

    public ValueTask DisposeAsync()
    {
        foreach (var replica in _replicas)
            replica?.Dispose();
        _folder.Dispose();
        return ValueTask.CompletedTask;
    }

    [Fact]
    public async Task Items_that_go_to_one_cart_by_two_replicas_at_once_are_all_in_it()
    {
        await Crowd.DoAsync(Adds, async (i, cancellation) =>
        {
            using var answer = await Replica(i).Http.PostAsync($"carts/shared/items/product-{i % Products}", null, cancellation);
            Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        });

        // Both replicas see the items of both.
        var expected = Enumerable.Range(0, Adds).CountBy(i => $"product-{i % Products}").ToDictionary();
        Assert.Equal(expected, await ReadAsync(0, "shared"));
        Assert.Equal(expected, await ReadAsync(1, "shared"));
    }

    [Fact]
    public async Task A_cart_is_bought_once_however_many_customers_buy_it_at_once()
    {
        await AddAsync(0, "once", "apple");
        var bought = new ConcurrentBag<HttpStatusCode>();
        await Crowd.DoAsync(20, async (i, cancellation) =>
        {
            using var answer = await Replica(i).Http.PostAsync("carts/once/checkout", null, cancellation);
            bought.Add(answer.StatusCode);
        });

        Assert.Single(bought, HttpStatusCode.OK);
        Assert.Equal(19, bought.Count(status => status == HttpStatusCode.Conflict));
        Assert.Empty(await ReadAsync(1, "once"));
    }

    [Fact]
    public async Task Items_that_a_replica_has_acknowledged_outlive_its_kill()
    {
        var acknowledged = new ConcurrentBag<string>();
        await Crowd.DoAsync(Adds, async (i, cancellation) =>
        {
            if (i == Adds / 2)
                Replica(0).Program.Kill();
            try
            {
                await AddAsync(i, "killed", $"product-{i}");
                acknowledged.Add($"product-{i}");
            }
            catch (HttpRequestException error) when (i % 2 == 0 && error.StatusCode is null)
            {
                // The killed replica gave no answer, so the item may or may not be in the cart.
            }
        });

        var items = await ReadAsync(1, "killed");
        Assert.All(acknowledged, product => Assert.Equal(1, items.GetValueOrDefault(product)));
        Assert.All(items.Values, quantity => Assert.Equal(1, quantity));
        Assert.InRange(acknowledged.Count, Adds / 2, Adds - 1);
    }

    [Fact]
    public async Task A_repeated_request_is_applied_once_beside_other_customers()
    {
        var (key, other) = (Guid.CreateVersion7(), Guid.CreateVersion7());
        await Crowd.DoAsync(20, async (i, cancellation) =>
        {
            using var answer = await PostAsync(i, "carts/repeated/items/apple?quantity=2", key, cancellation);
            Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
            await AddAsync(i + 1, "repeated", "pear");
        });
        using (await PostAsync(0, "carts/repeated/items/apple?quantity=3", other, Cancellation))
        using (await PostAsync(1, "carts/repeated/items/apple?quantity=2", key, Cancellation))
            Assert.Equal(new Dictionary<string, int> { ["apple"] = 5, ["pear"] = 20 }, await ReadAsync(1, "repeated"));

        var checkout = Guid.CreateVersion7();
        using var first = await PostAsync(0, "carts/repeated/checkout", checkout, Cancellation);
        await AddAsync(1, "repeated", "plum");
        using var again = await PostAsync(1, "carts/repeated/checkout", checkout, Cancellation);
        Assert.Equal(await first.Content.ReadAsStringAsync(Cancellation), await again.Content.ReadAsStringAsync(Cancellation));
        Assert.Equal(new Dictionary<string, int> { ["plum"] = 1 }, await ReadAsync(0, "repeated"));
    }

    private async Task<HttpResponseMessage> PostAsync(int replica, string path, Guid key, CancellationToken cancellation)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, path) { Headers = { { "Idempotency-Key", key.ToString() } } };
        return await Replica(replica).Http.SendAsync(request, cancellation);
    }

    private RunningService Replica(int number) => _replicas[number % 2]!;

    private async Task AddAsync(int replica, string cart, string product)
    {
        using var answer = await Replica(replica).Http.PostAsync($"carts/{cart}/items/{product}", null, Cancellation);
        answer.EnsureSuccessStatusCode();
    }

    private async Task<Dictionary<string, int>> ReadAsync(int replica, string id)
    {
        var cart = await Replica(replica).Http.GetFromJsonAsync<CartAnswer>($"carts/{id}", Cancellation);
        return cart!.Items.ToDictionary(item => item.Product, item => item.Quantity);
    }

    private sealed record CartAnswer(List<ItemAnswer> Items);

    private sealed record ItemAnswer(string Product, int Quantity);
}
