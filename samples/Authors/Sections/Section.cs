namespace Authors.Sections;

/// <summary>A piece of the text, under a name of its own.</summary>
internal sealed class Section(string name)
{
    public string Name { get; } = name;

    public string Text { get; set; } = "";

    /// <summary>The text that was last sent to the service; null if no text was sent yet.</summary>
    public string? Stored { get; set; }

    /// <summary>Whether the section is no longer part of the text.</summary>
    public bool IsGone { get; set; }
}

/// <summary>A change of one section, for the service.</summary>
/// <param name="Name">The section's name.</param>
/// <param name="Text">The section's new text; null if the section is removed.</param>
internal readonly record struct SectionChange(string Name, string? Text);
