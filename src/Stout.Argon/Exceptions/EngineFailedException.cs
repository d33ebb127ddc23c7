namespace Stout.Argon.Exceptions;

/// <summary>
/// The engine met an internal error, so it fails all requests. Writes that were not flushed may be lost. Dispose the server and open another one.
/// </summary>
public sealed class EngineFailedException(Exception inner) : ArgonException("The engine met an internal error and fails all requests. Dispose the server, open another one, and report the inner error.", inner);
