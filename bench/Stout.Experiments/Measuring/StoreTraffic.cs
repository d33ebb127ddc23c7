namespace Stout.Experiments.Measuring;

/// <summary>Write requests to a store.</summary>
/// <param name="Requests">The number of requests.</param>
/// <param name="Keys">The number of keys in the requests.</param>
/// <param name="Bytes">Bytes of the values.</param>
/// <param name="Refused">The number of keys in refused requests.</param>
/// <param name="Longest">The longest time from a request's sending to its answer.</param>
internal readonly record struct StoreTraffic(long Requests, long Keys, long Bytes, long Refused, TimeSpan Longest)
{
    public static StoreTraffic operator +(in StoreTraffic a, in StoreTraffic b) => new(
        a.Requests + b.Requests, a.Keys + b.Keys, a.Bytes + b.Bytes, a.Refused + b.Refused, a.Longest > b.Longest ? a.Longest : b.Longest);
}
