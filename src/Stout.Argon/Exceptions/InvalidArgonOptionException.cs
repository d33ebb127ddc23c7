namespace Stout.Argon.Exceptions;

/// <summary>An option is outside its range.</summary>
public sealed class InvalidArgonOptionException(string option, string rule) : ArgonException($"{option} {rule}.")
{
    /// <summary>The option.</summary>
    public string Option { get; } = option;
}
