using System.Reflection;
using Stout.Storage;

namespace Stout.Testing.Tests.Broken;

/// <summary>The suite for a broken proxy. Not public, so xUnit does not run it itself: <see cref="BrokenProxyTests"/> runs it, and it must fail.</summary>
internal sealed class BrokenSpecification(BrokenPromise broken) : StorageProxySpecification
{
    // One partition, since keys can be confused only within a partition.
    private InMemoryStore Data { get; set; } = new();
    private readonly TroubledKeys _troubled = new();
    private Func<Task<int>>? _countRows;
    private Action<bool>? _failSweeps;
    private bool _connected;

    protected override int RandomOperations => 5_000;

    protected override IStorageProxy Connect(TimeProvider time)
    {
        if (_connected && broken.ForgetsAllAtClosing)
            Data = new InMemoryStore();
        _connected = true;
        return new BrokenStore(Data.Connect(), broken, _troubled);
    }

    protected override int MostLooks => 5_000;

    protected override IStorageProxy? ConnectSweeping(TimeProvider time, StoreSweepOptions sweeping)
    {
        var swept = new SweptStore(Connect(time), time, sweeping, broken);
        _countRows = swept.CountRowsAsync;
        _failSweeps = fails => swept.SweepsFail = fails;
        return swept;
    }

    protected override async Task<int?> CountRowsAsync() => await _countRows!();

    protected override Task<bool> FailSweepsAsync(bool fails)
    {
        _failSweeps!(fails);
        return Task.FromResult(true);
    }

    protected override Task<bool> BreakSetUpAsync() => Task.FromResult(true);

    protected override Task<IAsyncDisposable?> HoldKeyAsync(StoreClient store, string key)
    {
        _troubled.Held = key;
        return Task.FromResult<IAsyncDisposable?>(new TroubledKeys.Hold(_troubled));
    }

    protected override Task<bool> RefuseKeyAsync(StoreClient store, string key)
    {
        _troubled.Refused = key;
        return Task.FromResult(true);
    }

    protected override Task<bool> DamageKeyAsync(StoreClient store, string key)
    {
        _troubled.Damaged = key;
        return Task.FromResult(true);
    }

    protected override Task<bool> NameOtherKeyAsync(StoreClient store, string key, string other)
    {
        if (broken.ComparesNoKeys || key == other)
            _troubled.Others.Remove(key);
        else
            _troubled.Others[key] = other;
        return Task.FromResult(true);
    }

    protected override Task<IStorageProxy?> ConnectInTroubleAsync(StoreErrorKind trouble, TimeProvider time)
    {
        var reported = (broken.ReportsTroubleAs ?? trouble) switch
        {
            StoreErrorKind.Overloaded => StoreFault.Overloaded,
            StoreErrorKind.Unreachable => StoreFault.Unreachable,
            StoreErrorKind.Busy => StoreFault.Busy,
            StoreErrorKind.LimitExceeded => StoreFault.LimitExceeded,
            StoreErrorKind.Unknown => StoreFault.LostRequest,
            _ => StoreFault.Refused,
        };
        return Task.FromResult<IStorageProxy?>(
            trouble > StoreErrorKind.Refused ? null : new FaultyStore(Data.Connect(), timeProvider: time) { KeyScript = _ => reported });
    }

    /// <summary>The tests of the suite.</summary>
    public static IReadOnlyList<MethodInfo> Tests { get; } =
        [.. typeof(StorageProxySpecification).GetMethods().Where(method => method.GetCustomAttribute<FactAttribute>() is not null)];

    /// <summary>Runs one test with every row of its data, each on a store of its own.</summary>
    /// <returns>The first failure; null if it passes or is skipped.</returns>
    public static async Task<Exception?> RunAsync(MethodInfo test, Func<BrokenPromise> broken)
    {
        foreach (var arguments in RowsOf(test))
        {
            try
            {
                await (Task)test.Invoke(new BrokenSpecification(broken()), arguments)!;
            }
            catch (Exception failure) when (!failure.Message.StartsWith("$XunitDynamicSkip$", StringComparison.Ordinal))
            {
                return failure;
            }
            catch (Exception)
            {
                // The test was skipped.
            }
        }

        return null;
    }

    private static IEnumerable<object?[]> RowsOf(MethodInfo test) =>
        test.GetParameters().Length == 0 ? [[]]
        : test.GetCustomAttributes<InlineDataAttribute>().Select(row => row.Data).DefaultIfEmpty([1]);
}
