namespace Stout.Storage;

/// <summary>The stored version and owner of a key. An absent key has the default: no version and no owner.</summary>
/// <param name="Version">The stamp of the last write; <see cref="Stamp.Absent"/> for a key that is claimed and was never written.</param>
/// <param name="Owner">The owner.</param>
public readonly record struct KeyHeader(Stamp Version, KeyOwner Owner);
