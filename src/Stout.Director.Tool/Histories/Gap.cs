namespace Stout.Director.Tool.Histories;

/// <summary>Steps of a history whose load is unknown.</summary>
/// <param name="First">The first step.</param>
/// <param name="Count">The number of steps.</param>
internal readonly record struct Gap(int First, int Count);
