namespace Stout.Argon;

/// <summary>The health of one disk.</summary>
/// <param name="Folder">The disk's folder.</param>
/// <param name="Healthy">False if a request has been at the disk for longer than <see cref="ArgonOptions.IoTimeLimit"/>.</param>
/// <param name="OldestRequest">The time since the disk received its oldest unfinished request; zero without requests.</param>
public sealed record DiskHealth(string Folder, bool Healthy, TimeSpan OldestRequest);
