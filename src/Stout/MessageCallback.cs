namespace Stout;

/// <summary>
/// Sends a message whose time has come: the state that it depends on is durable, or it never will be. Callbacks of one key run one
/// after the other, in the order of their calls, on the thread pool. What it throws goes to
/// <see cref="StoutOptions.CallbackFailed"/> and no further.
/// </summary>
/// <typeparam name="TState">Type of what the message needs; saves a closure.</typeparam>
/// <param name="state">What was given with the message.</param>
/// <param name="release">How it came to be released.</param>
public delegate void MessageCallback<in TState>(TState state, MessageRelease release);
