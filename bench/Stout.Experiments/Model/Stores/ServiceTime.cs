namespace Stout.Experiments.Model.Stores;

/// <summary>The time for which a server works on a request, drawn anew for each request.</summary>
internal abstract class ServiceTime
{
    public abstract TimeSpan Of(int operations);

    /// <summary>
    /// <paramref name="perRequest"/> + <paramref name="perOperation"/> × operations milliseconds, times a factor that is uniform from 1 −
    /// <paramref name="spread"/> to 1 + <paramref name="spread"/>.
    /// </summary>
    public static ServiceTime Linear(double perRequest, double perOperation, double spread, Random random) =>
        new LinearTime(perRequest, perOperation, spread, random);

    /// <summary>
    /// <paramref name="perRequest"/> + <paramref name="perOperation"/> × operations milliseconds, times 1 + 2.5 e^0.9z. Here z is normal, and correlates by
    /// 0.5 with that of the request before. Equal requests vary in this way on a database that shares a machine with its clients.
    /// </summary>
    public static ServiceTime Varying(double perRequest, double perOperation, Random random) => new VaryingTime(perRequest, perOperation, random);

    /// <summary><paramref name="perRequest"/> + <paramref name="perOperation"/> × operations milliseconds, times a factor drawn for each request.</summary>
    public static ServiceTime Scattered(double perRequest, double perOperation, Func<double> noise) => new ScatteredTime(perRequest, perOperation, noise);

    /// <summary>Exponentially distributed around a mean in milliseconds, independently of the number of operations.</summary>
    public static ServiceTime Exponential(double mean, Random random) => new ExponentialTime(mean, random);

    private sealed class LinearTime(double perRequest, double perOperation, double spread, Random random) : ServiceTime
    {
        public override TimeSpan Of(int operations)
        {
            var scatter = spread == 0 ? 1 : 1 + (spread * ((2 * random.NextDouble()) - 1));
            return TimeSpan.FromMilliseconds((perRequest + (perOperation * operations)) * scatter);
        }
    }

    private sealed class VaryingTime(double perRequest, double perOperation, Random random) : ServiceTime
    {
        private const double Remembered = 0.5;

        private double _z;

        public override TimeSpan Of(int operations)
        {
            var normal = Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
            _z = (Remembered * _z) + (Math.Sqrt(1 - (Remembered * Remembered)) * normal);
            return TimeSpan.FromMilliseconds((perRequest + (perOperation * operations)) * (1 + (2.5 * Math.Exp(0.9 * _z))));
        }
    }

    private sealed class ScatteredTime(double perRequest, double perOperation, Func<double> noise) : ServiceTime
    {
        public override TimeSpan Of(int operations) => TimeSpan.FromMilliseconds((perRequest + (perOperation * operations)) * noise());
    }

    private sealed class ExponentialTime(double mean, Random random) : ServiceTime
    {
        public override TimeSpan Of(int operations) => TimeSpan.FromMilliseconds(-mean * Math.Log(1 - random.NextDouble()));
    }
}
