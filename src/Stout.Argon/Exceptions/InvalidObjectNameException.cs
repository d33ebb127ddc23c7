namespace Stout.Argon.Exceptions;

/// <summary>The name of an object is not usable: use 1 to 200 bytes of UTF-8 without slashes, control characters or a leading dot.</summary>
public sealed class InvalidObjectNameException(string name) : ArgonException("The object name is not usable: use 1 to 200 bytes of UTF-8 without slashes, control characters or a leading dot.")
{
    /// <summary>The name.</summary>
    public string Name { get; } = name;
}
