using Stout.Documents.Tests.Schedules;
using Stout.Documents.Tests.Schedules.Owners;

namespace Stout.Orleans.Tests.Schedules;

/// <summary>One read or write of a state, or the close of an activation's key.</summary>
/// <param name="access">The access to the state.</param>
/// <param name="known">The call as the model has it; null for a close.</param>
internal sealed class GrainCall(GrainAccess access, OwnerCall? known) : SharedStoreCall
{
    public GrainAccess Access => access;

    public OwnerCall? Known => known;

    public bool IsClose => known is null;

    /// <summary>Whether the grain migrates with the close.</summary>
    public bool Migrates { get; init; }

    public override string ToString() => known?.ToString() ?? $"close of {access.Id} by silo {access.Silo}";
}
