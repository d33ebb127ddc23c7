namespace Stout.Director.Tests.Faults;

/// <summary>Simulates the end of the Director's process at the place where it is thrown.</summary>
internal sealed class CrashException : Exception;
