namespace Authors.Sections;

/// <summary>
/// Names whose ordinal order is the order of the sections in the document (fractional indexing). A name is the digits, base 62, of a fraction between
/// 0 and 1, without trailing zeros. Between two names there is always room for another, so a new section changes no other name.
/// </summary>
internal static class SectionName
{
    private const string Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    /// <summary>A name between two others; null stands for either end of the document.</summary>
    public static string Between(string? left, string? right)
    {
        Span<char> name = stackalloc char[Math.Max(left?.Length ?? 0, right?.Length ?? 0) + 1];
        var bounded = right is not null;
        for (var i = 0; ; i++)
        {
            var low = DigitAt(left, i, 0);
            var high = bounded ? DigitAt(right, i, 0) : Digits.Length;
            var middle = (low + high) / 2;
            if (middle > low)
            {
                name[i] = Digits[middle];
                return new string(name[..(i + 1)]);
            }

            // There is no room at this digit, so the name takes the left name's digit. If that digit is less than the right name's, the new name is below the
            // right name for any later digits.
            name[i] = Digits[low];
            bounded &= low == high;
        }
    }

    /// <summary>Evenly spread names: the digits of equally distant fractions.</summary>
    public static IEnumerable<string> Spread(int count)
    {
        var length = 1;
        var room = (long)Digits.Length;
        for (; room <= count; length++)
            room *= Digits.Length;
        return Enumerable.Range(1, count).Select(i => Fraction(i * room / (count + 1), length));
    }

    private static string Fraction(long value, int length) => string.Create(length, value, static (name, value) =>
    {
        for (var i = name.Length - 1; i >= 0; i--, value /= Digits.Length)
            name[i] = Digits[(int)(value % Digits.Length)];
    }).TrimEnd('0');

    private static int DigitAt(string? name, int index, int beyond) =>
        name is null || index >= name.Length ? beyond : Digits.IndexOf(name[index], StringComparison.Ordinal);
}
