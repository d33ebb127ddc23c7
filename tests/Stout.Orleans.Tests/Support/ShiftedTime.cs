namespace Stout.Orleans.Tests;

/// <summary>The system's clock, ahead of its wall clock.</summary>
internal sealed class ShiftedTime(TimeSpan ahead) : TimeProvider
{
    public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + ahead;
}
