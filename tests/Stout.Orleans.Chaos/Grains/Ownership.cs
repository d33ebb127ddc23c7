using System.Diagnostics;

namespace Stout.Orleans.Chaos.Grains;

/// <summary>Identifies an activation as an owner of its key, with a time before its claim and a time after it.</summary>
internal sealed class Ownership(IGrainContext context, string silo)
{
    private int _claims;
    private long _before = Stopwatch.GetTimestamp();
    private long _after = long.MaxValue;

    /// <summary>Notes that the activation has claimed the key, for the first time or again.</summary>
    /// <param name="before">A time before the claim; null for the time of the activation's construction.</param>
    public void Begin(long? before = null)
    {
        _claims++;
        (_before, _after) = (before ?? _before, Stopwatch.GetTimestamp());
    }

    /// <summary>Notes that the activation may have claimed the key again, at an unknown time.</summary>
    public void Blur()
    {
        _claims++;
        (_before, _after) = (0, long.MaxValue);
    }

    public View Show(Document? document) => new(
        document?.Log.LastOrDefault(), document?.Log.Count ?? 0, $"{context.ActivationId}#{_claims}", silo, _before, _after);
}
