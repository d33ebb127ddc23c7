namespace Stout.Orleans.Tests;

/// <summary>A clock whose wall time is ahead of the system's by a fixed time.</summary>
internal sealed class ShiftedTime(TimeSpan ahead) : TimeProvider
{
    public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + ahead;
}
