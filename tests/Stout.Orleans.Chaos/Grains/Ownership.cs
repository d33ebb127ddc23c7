using System.Diagnostics;

namespace Stout.Orleans.Chaos.Grains;

/// <summary>Which owner of a key an activation is, and between which times it has claimed the key.</summary>
internal sealed class Ownership(IGrainContext context, string silo)
{
    private int _claims;
    private long _before = Stopwatch.GetTimestamp();
    private long _after = long.MaxValue;

    /// <summary>The activation has claimed the key, as the first or instead of an earlier claim.</summary>
    /// <param name="before">A time before the claim; null for that of the activation's construction.</param>
    public void Begin(long? before = null)
    {
        _claims++;
        (_before, _after) = (before ?? _before, Stopwatch.GetTimestamp());
    }

    /// <summary>The activation may have claimed the key anew, at an unknown time.</summary>
    public void Blur()
    {
        _claims++;
        (_before, _after) = (0, long.MaxValue);
    }

    public View Show(Document? document) => new(
        document?.Log.LastOrDefault(), document?.Log.Count ?? 0, $"{context.ActivationId}#{_claims}", silo, _before, _after);
}
