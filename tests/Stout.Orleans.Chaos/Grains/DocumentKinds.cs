using System.Globalization;

namespace Stout.Orleans.Chaos.Grains;

/// <summary>
/// The kinds of documents. A document's name begins with its place in the pool, which chooses the grain class, and whether only one cluster uses it.
/// </summary>
internal static class DocumentKinds
{
    public const string StateName = "document";
    public const string Facet = "facet";
    public const string Confirming = "confirming";
    public const string Stored = "stored";

    /// <summary>Places in the pool that hold every kind once.</summary>
    public const int Count = 6;

    private static readonly string[] Types = [Facet, Confirming, Stored];

    public static GrainId GrainOf(string document) => GrainId.Create(TypeOf(document), document);

    /// <summary>The grain type, which is part of the state's key.</summary>
    public static string TypeOf(string document) => Types[PlaceOf(document) % Types.Length];

    /// <summary>Whether a second cluster uses the document too. Grains of the others save at their end.</summary>
    public static bool IsShared(string document) => PlaceOf(document) / Types.Length % 2 == 0;

    private static int PlaceOf(string document) => int.Parse(document.AsSpan(0, document.IndexOf('.', StringComparison.Ordinal)), CultureInfo.InvariantCulture);
}
