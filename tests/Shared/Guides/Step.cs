namespace Stout.Tests.Shared.Guides;

/// <summary>A thing that a reader of the page does.</summary>
internal abstract record Step;

/// <summary>A file that the page gives, with its path before it.</summary>
internal sealed record FileStep(string Path, string Text) : Step;

/// <summary>Commands that the page gives, with what it says that they print, if it says so.</summary>
internal sealed record CommandStep(string Commands, bool GoesOnRunning, string? Prints) : Step;
