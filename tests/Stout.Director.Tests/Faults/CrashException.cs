namespace Stout.Director.Tests.Faults;

/// <summary>The Director's process ends here.</summary>
internal sealed class CrashException : Exception;
