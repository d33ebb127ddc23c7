namespace Stout.Argon.Exceptions;

/// <summary>The object was deleted while the handle was open. All handles on it fail from then on.</summary>
public sealed class ObjectDeletedException() : ArgonException("The object was deleted. Dispose the handle; create the object again if it is needed.");
