using FsCheck;
using FsCheck.Fluent;
using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>Answers that no store should give: clocks that step back, zero and negative times and sizes, and times of decades.</summary>
internal static class OddRequests
{
    private static readonly Gen<double> Milliseconds = Gen.OneOf(
        Gen.Choose(0, 20_000).Select(v => v / 10.0),
        Gen.Choose(-1000, 0).Select(v => (double)v),
        Gen.Elements(0.0, 1e-4, 1e12));

    private static readonly Gen<long> Bytes = Gen.OneOf(
        Gen.Choose(0, 100_000).Select(v => (long)v),
        Gen.Elements(0L, 1L, -1L, long.MaxValue, long.MinValue));

    private static readonly Gen<int> Operations = Gen.OneOf(Gen.Choose(1, 1000), Gen.Elements(0, -1, int.MaxValue, int.MinValue));

    public static Gen<StoreRequest> Generator { get; } =
        from bytes in Bytes
        from operations in Operations
        from latency in Milliseconds
        from interval in Milliseconds
        from answeredAt in Milliseconds
        from limited in Gen.Elements(true, false)
        from outcome in Gen.Elements(Enum.GetValues<StoreRequestOutcome>())
        from kind in Gen.Elements(Enum.GetValues<StoreRequestKind>())
        select LawDriver.Request(bytes, latency, interval, answeredAt, limited, outcome, kind) with { Operations = operations };
}
