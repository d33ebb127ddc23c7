namespace Stout.Tests.Pacing.Model;

/// <summary>
/// The paper's store, calibrated on its table 1. Each partition is one server. A batch of n writes takes 0.547 + 0.18 n ms, give or take 30 %, and
/// the round trip adds 0.4 ms.
/// </summary>
/// <param name="partitions">The number of servers.</param>
/// <param name="random">The source of variation.</param>
/// <param name="varies">The median ratio of a batch's time outside the server to its time on the server: the delays of a real store's machine, at any
/// load.</param>
internal sealed class ModelStore(int partitions, Random random, double varies = 0)
{
    private static readonly TimeSpan OneWay = TimeSpan.FromMilliseconds(0.2);

    private readonly FcfsServer[] _servers = [.. Enumerable.Range(0, partitions).Select(_ => new FcfsServer())];

    public int Partitions => _servers.Length;

    /// <summary>Returns the time of the answer to a batch sent at <paramref name="sentAt"/>, which must not be earlier than in the previous call.</summary>
    public TimeSpan Write(int partition, int keys, TimeSpan sentAt)
    {
        var milliseconds = (0.547 + (0.18 * keys)) * (0.7 + (0.6 * random.NextDouble()));
        return _servers[partition].Serve(sentAt + OneWay, TimeSpan.FromMilliseconds(milliseconds)) + OneWay
            + TimeSpan.FromMilliseconds(varies == 0 ? 0 : varies * milliseconds * Math.Exp(0.9 * Normal()));
    }

    private double Normal() => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
