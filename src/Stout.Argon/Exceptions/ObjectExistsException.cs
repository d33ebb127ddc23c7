namespace Stout.Argon.Exceptions;

/// <summary>An object of that name exists: open it.</summary>
public sealed class ObjectExistsException(string name) : ArgonException("An object of this name exists: open it, or delete it first.")
{
    /// <summary>The name.</summary>
    public string Name { get; } = name;
}
