namespace Stout.Storage;

/// <summary>What a store keeps of a key beside its parts. A key that the store does not have has the default: no version and no owner.</summary>
/// <param name="Version">The stamp of the last write; <see cref="Stamp.Absent"/> for a key that is claimed and was never written.</param>
/// <param name="Owner">The owner.</param>
public readonly record struct KeyHeader(Stamp Version, KeyOwner Owner);
