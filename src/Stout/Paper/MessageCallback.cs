namespace Stout;

/// <summary>
/// Sends a message once the changes that the message may reveal are durable or have failed. Callbacks of one key run one after another on the thread
/// pool, in the order in which they were passed to the handle. Exceptions of callbacks go to the log and to <see cref="StoutOptions.CallbackFailed"/>,
/// not to the caller.
/// </summary>
/// <typeparam name="TState">The type of the callback's state; avoids a closure.</typeparam>
/// <param name="state">The state passed with the message.</param>
/// <param name="release">The result: safe, or the failure.</param>
public delegate void MessageCallback<in TState>(TState state, MessageRelease release);
