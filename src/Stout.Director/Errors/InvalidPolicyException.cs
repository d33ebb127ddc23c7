namespace Stout.Director;

/// <summary>A parameter of the policy is out of range, or two contradict each other.</summary>
/// <param name="message">The error, and the allowed range or the remedy.</param>
/// <param name="inner">The cause, where there is one.</param>
public sealed class InvalidPolicyException(string message, Exception? inner = null) : DirectorException(message, inner);
