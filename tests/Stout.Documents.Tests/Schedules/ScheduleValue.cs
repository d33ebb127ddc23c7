using System.Globalization;
using System.Text;

namespace Stout.Documents.Tests.Schedules;

/// <summary>A part's value: the number of the change that set it, padded by up to 11 characters so that values differ in length.</summary>
internal static class ScheduleValue
{
    private const int MostPadding = 12;

    public static string Text(int number) => number.ToString(CultureInfo.InvariantCulture) + ":" + new string('.', number % MostPadding);

    public static int Number(string text) => int.Parse(text.AsSpan(0, text.IndexOf(':')), CultureInfo.InvariantCulture);

    public static byte[] Bytes(int number) => Encoding.UTF8.GetBytes(Text(number));

    public static int Number(ReadOnlyMemory<byte> bytes) => Number(Encoding.UTF8.GetString(bytes.Span));
}
