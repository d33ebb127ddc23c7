namespace Stout.Director.Simulation.Physics;

/// <summary>A stationary first-order autoregressive process with variance 1.</summary>
internal struct Drift(Xoshiro random)
{
    private double _value = random.NextNormal();

    /// <summary>Advances the process, and returns a log-normal factor with mean 1.</summary>
    public double Next(double seconds, double correlationTime, double deviation)
    {
        if (deviation <= 0)
            return 1;
        var keep = Math.Exp(-seconds / correlationTime);
        _value = keep * _value + Math.Sqrt(1 - keep * keep) * random.NextNormal();
        return Math.Exp(deviation * _value - deviation * deviation / 2);
    }
}
