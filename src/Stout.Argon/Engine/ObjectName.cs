using System.Text;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Engine;

/// <summary>The names of objects, and their files.</summary>
internal static class ObjectName
{
    public const string Extension = ".argon";
    private const int MostBytes = 200;
    private static readonly UTF8Encoding s_strictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public static string PathOf(string folder, string name)
    {
        if (string.IsNullOrEmpty(name) || name[0] == '.' || name.Any(letter => letter is '/' or '\\' || char.IsControl(letter)) || !IsShortText(name))
            throw new InvalidObjectNameException(name);
        return Path.Combine(folder, name + Extension);
    }

    public static IReadOnlyList<string> List(string folder) =>
        [.. Directory.EnumerateFiles(folder, "*" + Extension).Select(path => Path.GetFileNameWithoutExtension(path)).Order(StringComparer.Ordinal)];

    // Whether the name is short enough and has a form in UTF-8. An unpaired surrogate has no such form: the file system would get the same replacement for
    // several names.
    private static bool IsShortText(string name)
    {
        try
        {
            return s_strictUtf8.GetByteCount(name) <= MostBytes;
        }
        catch (EncoderFallbackException)
        {
            return false;
        }
    }
}
