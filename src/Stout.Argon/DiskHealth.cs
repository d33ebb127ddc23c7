namespace Stout.Argon;

/// <summary>The health of one disk.</summary>
/// <param name="Folder">The disk's folder.</param>
/// <param name="Healthy">False when a request has been at the disk for longer than <see cref="ArgonOptions.IoTimeLimit"/>.</param>
/// <param name="OldestRequest">How long the oldest request has been at the disk.</param>
public sealed record DiskHealth(string Folder, bool Healthy, TimeSpan OldestRequest);
