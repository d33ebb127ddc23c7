namespace OrleansDocuments.Grains;

/// <summary>The names of sections as names of parts, which do not begin with '$'.</summary>
internal static class PartName
{
    private const char Escape = '/';

    public static string Of(string section) => section is ['$' or Escape, ..] ? Escape + section : section;

    public static string SectionOf(string part) => part is [Escape, ..] ? part[1..] : part;
}
