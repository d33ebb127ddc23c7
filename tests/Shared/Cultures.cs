using System.Globalization;

namespace Stout.Tests;

/// <summary>
/// Cultures that write numbers and times in other ways. They differ in the minus sign, a mark of direction before it, the decimal separator, the
/// calendar's years, or upper-case letters.
/// </summary>
internal static class Cultures
{
    public static TheoryData<string> Names { get; } =
        ["ps-AF", "ckb-IR", "mzn-IR", "ur-IN", "fa-IR", "ar-SA", "he-IL", "sv-SE", "de-DE", "tr-TR", "th-TH", "hi-IN", ""];

    /// <summary>Runs code with a culture as the current one, as in an application that has set it.</summary>
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
