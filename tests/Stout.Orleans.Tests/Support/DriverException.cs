namespace Driver;

/// <summary>An exception of a namespace that Orleans does not send by itself.</summary>
public sealed class DriverException(string message) : Exception(message);
