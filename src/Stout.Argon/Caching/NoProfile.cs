namespace Stout.Argon.Caching;

/// <summary>A profile that records nothing, to measure the cost of profiles.</summary>
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
