namespace Stout.Experiments.Model.Stores;

/// <summary>How long a server works on a request, drawn anew for each.</summary>
internal abstract class ServiceTime
{
    public abstract TimeSpan Of(int operations);

    /// <summary>
    /// <paramref name="perRequest"/> + <paramref name="perOperation"/> × operations milliseconds, uniformly scattered by
    /// <paramref name="spread"/> of it to both sides.
    /// </summary>
    public static ServiceTime Linear(double perRequest, double perOperation, double spread, Random random) =>
        new LinearTime(perRequest, perOperation, spread, random);

    /// <summary>Exponentially distributed around a mean in milliseconds, whatever the size.</summary>
    public static ServiceTime Exponential(double mean, Random random) => new ExponentialTime(mean, random);

    private sealed class LinearTime(double perRequest, double perOperation, double spread, Random random) : ServiceTime
    {
        public override TimeSpan Of(int operations)
        {
            var scatter = spread == 0 ? 1 : 1 + (spread * ((2 * random.NextDouble()) - 1));
            return TimeSpan.FromMilliseconds((perRequest + (perOperation * operations)) * scatter);
        }
    }

    private sealed class ExponentialTime(double mean, Random random) : ServiceTime
    {
        public override TimeSpan Of(int operations) => TimeSpan.FromMilliseconds(-mean * Math.Log(1 - random.NextDouble()));
    }
}
