using System.Reflection;

namespace Stout.Testing.Tests.Broken;

/// <summary>Each broken proxy fails the tests that it names, and each test of the suite is named by a broken proxy.</summary>
public sealed class BrokenProxyTests
{
    private static readonly MethodInfo[] Proxies =
        [.. typeof(BrokenProxies).GetMethods().Where(method => method.GetCustomAttribute<CaughtByAttribute>() is not null)];

    public static TheoryData<string, string> Catches { get; } = new(Proxies.SelectMany(CaughtBy, (proxy, test) => (proxy.Name, test)));

    public static TheoryData<string> Tests { get; } = [.. BrokenSpecification.Tests.Select(test => test.Name)];

    [Theory]
    [MemberData(nameof(Catches))]
    public async Task Broken_proxy_is_caught(string proxy, string by)
    {
        var broken = Proxies.Single(method => method.Name == proxy).CreateDelegate<Func<BrokenPromise>>();

        var failure = await BrokenSpecification.RunAsync(TestNamed(by), broken);

        Assert.NotNull(failure);
        TestContext.Current.TestOutputHelper?.WriteLine(failure.Message);
    }

    [Theory]
    [MemberData(nameof(Tests))]
    public async Task Proxy_of_the_same_making_that_breaks_nothing_passes(string test) =>
        Assert.Null(await BrokenSpecification.RunAsync(TestNamed(test), () => new BrokenPromise()));

    [Fact]
    public void Every_test_of_the_suite_catches_a_broken_proxy() =>
        Assert.Equal(BrokenSpecification.Tests.Select(test => test.Name).Order(), Proxies.SelectMany(CaughtBy).Distinct().Order());

    [Fact]
    public async Task Random_run_that_fails_names_its_seed_and_fails_alike_when_it_is_repeated()
    {
        var test = TestNamed(nameof(StorageProxySpecification.Random_operations_of_two_writers_end_as_a_dictionary_would_end_them));

        var first = await BrokenSpecification.RunAsync(test, BrokenProxies.Ignores_the_owner);
        var second = await BrokenSpecification.RunAsync(test, BrokenProxies.Ignores_the_owner);

        Assert.StartsWith($"{StorageProxySpecification.SeedVariable}=1, operation ", first!.Message, StringComparison.Ordinal);
        Assert.Equal(first.Message, second!.Message);
    }

    private static IReadOnlyList<string> CaughtBy(MethodInfo proxy) => proxy.GetCustomAttribute<CaughtByAttribute>()!.Tests;

    private static MethodInfo TestNamed(string name) => BrokenSpecification.Tests.Single(test => test.Name == name);
}
