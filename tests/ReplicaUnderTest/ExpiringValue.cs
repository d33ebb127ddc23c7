using System.Globalization;

namespace ReplicaUnderTest;

/// <summary>Values that contain their time of expiry, in ticks of <see cref="MachineClock"/>.</summary>
internal static class ExpiringValue
{
    /// <summary>The time of expiry of a value that does not expire.</summary>
    public const long Never = long.MaxValue;

    public static string Of(string name, long expiresAt) => string.Create(CultureInfo.InvariantCulture, $"{name}@{expiresAt}");

    public static long ExpiryOf(string value) => long.Parse(value.AsSpan(value.LastIndexOf('@') + 1), CultureInfo.InvariantCulture);
}
