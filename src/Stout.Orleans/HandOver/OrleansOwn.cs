namespace Stout.Orleans.HandOver;

/// <summary>Tells Orleans' own grain classes from those of the application.</summary>
internal static class OrleansOwn
{
    /// <summary>Whether a class is one of Orleans', by its full name.</summary>
    public static bool IsOne(string? className) => className?.StartsWith("Orleans.", StringComparison.Ordinal) == true;
}
