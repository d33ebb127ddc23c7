namespace OrleansDocuments.Grains;

/// <summary>
/// Converts names of sections to names of parts and back. Names of parts must not begin with '$', so a name of a section that begins with '$' or '/' gets
/// a '/' in front.
/// </summary>
internal static class PartName
{
    private const char Escape = '/';

    public static string Of(string section) => section is ['$' or Escape, ..] ? Escape + section : section;

    public static string SectionOf(string part) => part is [Escape, ..] ? part[1..] : part;
}
