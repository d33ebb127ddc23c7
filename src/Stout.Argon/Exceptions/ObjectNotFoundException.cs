namespace Stout.Argon.Exceptions;

/// <summary>No object has the name: create it first.</summary>
public sealed class ObjectNotFoundException(string name) : ArgonException("No object has this name: create it first.")
{
    /// <summary>The name.</summary>
    public string Name { get; } = name;
}
