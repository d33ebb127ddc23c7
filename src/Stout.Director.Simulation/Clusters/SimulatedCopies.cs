using Stout.Director.Simulation.Physics;

namespace Stout.Director.Simulation.Clusters;

/// <summary>The copies under way, and the processor shares that they take of their servers.</summary>
internal sealed class SimulatedCopies
{
    // The largest share of the target's processor that one copy takes, so that a tenth is left for visits.
    private const double MostShare = 0.9;

    private readonly List<SimulatedCopy> _running = [];

    public IReadOnlyList<SimulatedCopy> Running => _running;

    /// <summary>The number of bins that have been copied completely so far.</summary>
    public long BinsCopied { get; private set; }

    /// <summary>The bytes of the bins that <see cref="BinsCopied"/> counts.</summary>
    public long BytesCopied { get; private set; }

    public void Begin(SimulatedCopy copy)
    {
        _running.Add(copy);
        Burden(copy.From, copy.To);
    }

    /// <summary>Ends the copies that match. The target gets no replica of a bin whose copy is unfinished.</summary>
    public void End(Predicate<SimulatedCopy> which)
    {
        foreach (var copy in _running.FindAll(which))
            End(copy);
    }

    /// <summary>Advances the running copies by a time in seconds.</summary>
    /// <returns>The bins that have become complete at their targets, and the epochs of their copies.</returns>
    public IReadOnlyList<(int Bin, int Server, long Epoch)> Advance(double seconds, IReadOnlyList<long> bytes)
    {
        var whole = new List<(int Bin, int Server, long Epoch)>();
        foreach (var copy in _running)
        {
            copy.Done += copy.Rate * CopyPhysics.Factor(copy.To.Physics, copy.Rate, copy.To.Utilization, copy.From.Utilization) * copy.Noise * seconds;
            while (copy.Bins.TryPeek(out var bin) && copy.Done >= bytes[bin])
            {
                copy.Done -= bytes[bin];
                copy.Bins.Dequeue();
                whole.Add((bin, copy.To.Id, copy.Epoch));
                BinsCopied++;
                BytesCopied += bytes[bin];
            }
        }

        foreach (var copy in _running.FindAll(copy => copy.Bins.Count == 0))
            End(copy);
        return whole;
    }

    private void End(SimulatedCopy copy)
    {
        _running.Remove(copy);
        Burden(copy.From, copy.To);
    }

    // Computes the sums anew, since adding and subtracting single shares would leave rounding errors.
    private void Burden(params ReadOnlySpan<SimulatedServer> servers)
    {
        foreach (var server in servers)
        {
            server.CopyShare = 0;
            foreach (var copy in _running)
            {
                var share = Math.Min(MostShare, copy.Rate / copy.To.Physics.CopyCapacity);
                if (copy.To == server)
                    server.CopyShare += share;
                if (copy.From == server)
                    server.CopyShare += share * server.Physics.SourceShare;
            }
        }
    }
}
