using Stout.Storage;

namespace Stout.Orleans.Storage;

/// <summary>The owner, version and kind of a key when its handle was closed. With these, the next handle can go on without a read.</summary>
internal sealed record KeyPosition(KeyOwner Owner, Stamp Version, StateKind Kind);
