using System.Numerics;
using System.Runtime.CompilerServices;

namespace Stout.Director.Simulation.Physics;

/// <summary>The generator xoshiro256++ (Blackman and Vigna): the same numbers on every machine and runtime.</summary>
internal sealed class Xoshiro
{
    private ulong _a, _b, _c, _d;
    private double _spare = double.NaN;

    public Xoshiro(ulong seed)
    {
        // The state comes from SplitMix64, as the authors advise.
        _a = Next(ref seed);
        _b = Next(ref seed);
        _c = Next(ref seed);
        _d = Next(ref seed);

        static ulong Next(ref ulong state)
        {
            var z = state += 0x9E3779B97F4A7C15;
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
            return z ^ (z >> 31);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong NextBits()
    {
        var result = BitOperations.RotateLeft(_a + _d, 23) + _a;
        var t = _b << 17;
        _c ^= _a;
        _d ^= _b;
        _b ^= _c;
        _a ^= _d;
        _c ^= t;
        _d = BitOperations.RotateLeft(_d, 45);
        return result;
    }

    /// <summary>Uniform, at least 0 and below 1.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double NextDouble() => (NextBits() >> 11) * (1.0 / (1UL << 53));

    /// <summary>Uniform from 0 to below a bound.</summary>
    public int NextInt(int bound) => (int)Math.BigMul(NextBits(), (ulong)bound, out _);

    /// <summary>Exponential with mean 1.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double NextExponential() => -Math.Log(1 - NextDouble());

    /// <summary>Normal with mean 0 and standard deviation 1, by the polar method.</summary>
    public double NextNormal()
    {
        if (!double.IsNaN(_spare))
        {
            var spare = _spare;
            _spare = double.NaN;
            return spare;
        }

        double u, v, s;
        do
        {
            u = 2 * NextDouble() - 1;
            v = 2 * NextDouble() - 1;
            s = u * u + v * v;
        }
        while (s is >= 1 or 0);

        var factor = Math.Sqrt(-2 * Math.Log(s) / s);
        _spare = v * factor;
        return u * factor;
    }

    /// <summary>Poisson with a mean: exact up to a mean of 30, approximated by a normal distribution above.</summary>
    public int NextPoisson(double mean)
    {
        if (mean > 30)
            return Math.Max(0, (int)Math.Round(mean + Math.Sqrt(mean) * NextNormal()));
        var limit = Math.Exp(-mean);
        var count = 0;
        for (var product = NextDouble(); product > limit; product *= NextDouble())
            count++;
        return count;
    }
}
