namespace Stout.Argon.Caching;

/// <summary>A profile that records nothing, to measure the cost of profiles.</summary>
internal sealed class NoProfile : IServiceProfile
{
    public double MeanCost => 0;

    public void Reference(long key, bool write, int flushes, double cost = 1)
    {
    }

    public void Spend(double cost)
    {
    }

    public double Absorbed(int blocks) => 0;

    public void ResetCounts()
    {
    }

    public void Age()
    {
    }
}
