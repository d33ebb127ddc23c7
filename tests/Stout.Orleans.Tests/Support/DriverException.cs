namespace Driver;

/// <summary>An exception whose namespace is not among those that Orleans sends by default.</summary>
public sealed class DriverException(string message) : Exception(message);
