namespace Stout.Tests.Shared.Guides;

/// <summary>A step that a reader of the page carries out.</summary>
internal abstract record Step;

/// <summary>A file of the page, with its path.</summary>
internal sealed record FileStep(string Path, string Text) : Step;

/// <summary>Commands of the page, with the output that the page shows; null if it shows no output.</summary>
internal sealed record CommandStep(string Commands, bool GoesOnRunning, string? Prints) : Step;
