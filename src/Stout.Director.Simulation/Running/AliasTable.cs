using Stout.Director.Simulation.Physics;

namespace Stout.Director.Simulation.Running;

/// <summary>Draws from a discrete distribution in constant time (Walker and Vose).</summary>
internal sealed class AliasTable(int size)
{
    private readonly double[] _keep = new double[size];
    private readonly int[] _alias = new int[size];
    private readonly Stack<int> _small = [];
    private readonly Stack<int> _large = [];

    public void Fill(ReadOnlySpan<double> shares)
    {
        for (var i = 0; i < size; i++)
        {
            _keep[i] = shares[i] * size;
            _alias[i] = i;
            (_keep[i] < 1 ? _small : _large).Push(i);
        }

        while (_small.TryPop(out var small) && _large.TryPop(out var large))
        {
            _alias[small] = large;
            _keep[large] -= 1 - _keep[small];
            (_keep[large] < 1 ? _small : _large).Push(large);
        }

        // The remaining entries are 1, except for rounding errors.
        foreach (var rest in _small.Concat(_large))
            _keep[rest] = 1;
        _small.Clear();
        _large.Clear();
    }

    public int Draw(Xoshiro random)
    {
        var i = random.NextInt(size);
        return random.NextDouble() < _keep[i] ? i : _alias[i];
    }
}
