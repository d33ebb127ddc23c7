using Stout.Storage;

namespace Stout.Orleans.Storage;

/// <summary>Where a closed handle has left its key: the next one can go on from there without a read.</summary>
internal sealed record KeyPosition(KeyOwner Owner, Stamp Version, StateKind Kind);
