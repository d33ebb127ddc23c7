using System.Runtime.CompilerServices;

namespace Stout.Director.Simulation.Physics;

/// <summary>The queue of one server, advanced visit by visit (Lindley's recursion with stalls).</summary>
internal sealed class QueueingServer
{
    private readonly ServerPhysics _physics;
    private readonly Xoshiro _random;
    private Drift _environment;
    private double _free;
    private double _nextStall;
    private double _stall;
    private double _run;
    private double _slowness = 1;

    public QueueingServer(ServerPhysics physics, ulong seed, double now)
    {
        (_physics, _random, _free) = (physics, new Xoshiro(seed), now);
        _environment = new Drift(_random);
        Step(0, 0);
        _nextStall = now;
        NextStall(now);
    }

    /// <summary>Visits since the last step.</summary>
    public int Visits;

    /// <summary>The processor time of the visits since the last step, in seconds, at the speed without copies.</summary>
    public double Work;

    /// <summary>Advances the random process that varies the server's stall rate (its environment), and resets the visits and their work.</summary>
    /// <param name="seconds">The time since the last step.</param>
    /// <param name="copyShare">The share of the processor that copies take.</param>
    public void Step(double seconds, double copyShare)
    {
        _run = _physics.Run / _environment.Next(seconds, _physics.EnvironmentTime, _physics.EnvironmentDeviation);
        _slowness = 1 / (1 - Math.Min(copyShare, 0.95));
        Visits = 0;
        Work = 0;
    }

    /// <summary>The latency in seconds of a get that arrives now, without network; infinite if the get is refused.</summary>
    public double Get(double now) => Visit(now, _physics.GetTime);

    /// <summary>The latency of a put, as for a get.</summary>
    public double Put(double now) => Visit(now, _physics.PutTime);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private double Visit(double now, double work)
    {
        Visits++;
        Work += work;
        var start = Math.Max(now, _free);
        while (_nextStall <= start)
        {
            var end = _nextStall + _stall;
            if (end > start)
                start = end;
            NextStall(end);
        }

        if (start - now > _physics.LongestQueue)
            return double.PositiveInfinity;
        var finish = start + work * _slowness;
        while (_nextStall < finish)
        {
            finish += _stall;
            NextStall(_nextStall + _stall);
        }

        _free = finish;
        return finish - now;
    }

    private void NextStall(double end)
    {
        _nextStall = end + _run * _random.NextExponential();
        _stall = _physics.Stall * _random.NextExponential();
    }
}
