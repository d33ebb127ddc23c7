using System.Globalization;

namespace Stout.Tests;

/// <summary>
/// Cultures that write numbers and times in other ways: their minus is another character, or has a mark of direction before it; their decimal
/// separator is a comma; their calendar counts other years; their upper-case letters differ.
/// </summary>
internal static class Cultures
{
    public static TheoryData<string> Names { get; } =
        ["ps-AF", "ckb-IR", "mzn-IR", "ur-IN", "fa-IR", "ar-SA", "he-IL", "sv-SE", "de-DE", "tr-TR", "th-TH", "hi-IN", ""];

    /// <summary>Does something under a culture, as a thread of an application that has set it.</summary>
    public static async Task UnderAsync(string name, Func<Task> work)
    {
        var before = (CultureInfo.CurrentCulture, CultureInfo.CurrentUICulture);
        var culture = CultureInfo.GetCultureInfo(name);
        (CultureInfo.CurrentCulture, CultureInfo.CurrentUICulture) = (culture, culture);
        try
        {
            await work();
        }
        finally
        {
            (CultureInfo.CurrentCulture, CultureInfo.CurrentUICulture) = before;
        }
    }
}
