namespace Authors.Replay;

/// <summary>The command line's options.</summary>
/// <param name="Histories">The folder with the histories.</param>
/// <param name="Service">The service's address.</param>
/// <param name="Pace">How fast to type.</param>
/// <param name="Keystrokes">How many keystrokes of each history to make at most; null for all.</param>
/// <param name="VerifyOnly">Whether to write nothing, and only compare the service's texts with the results of the keystrokes.</param>
/// <param name="UnreachableTimeout">The time for which a request is repeated if it gets no answer, 503 or 504.</param>
internal sealed record ReplayOptions(DirectoryInfo Histories, Uri Service, Pace Pace, int? Keystrokes, bool VerifyOnly, TimeSpan UnreachableTimeout);
