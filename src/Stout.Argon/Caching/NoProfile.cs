namespace Stout.Argon.Caching;

/// <summary>No profile at all, to measure what profiles cost.</summary>
internal sealed class NoProfile : IServiceProfile
{
    public void Reference(long key, bool write, int flushes)
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
