namespace Authors.Sections;

/// <summary>A piece of the text, under a name of its own.</summary>
internal sealed class Section(string name)
{
    public string Name { get; } = name;

    public string Text { get; set; } = "";

    /// <summary>The text that the service has been told, or null before it has been told any.</summary>
    public string? Stored { get; set; }

    /// <summary>Whether it is no longer part of the text.</summary>
    public bool IsGone { get; set; }
}

/// <summary>A change of one section, for the service.</summary>
/// <param name="Name">The section.</param>
/// <param name="Text">Its text from now on; null if there is no such section any more.</param>
internal readonly record struct SectionChange(string Name, string? Text);
