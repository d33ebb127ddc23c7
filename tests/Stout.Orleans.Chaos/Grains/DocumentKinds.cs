using System.Globalization;

namespace Stout.Orleans.Chaos.Grains;

/// <summary>
/// The kinds of documents. A document's name begins with its place in the run's pool of documents. The place determines the grain class, and whether
/// only one cluster uses the document.
/// </summary>
internal static class DocumentKinds
{
    public const string StateName = "document";
    public const string Facet = "facet";
    public const string Confirming = "confirming";
    public const string Stored = "stored";

    /// <summary>The number of kinds: three grain classes, each with shared documents and with documents of one cluster.</summary>
    public const int Count = 6;

    private static readonly string[] Types = [Facet, Confirming, Stored];

    public static GrainId GrainOf(string document) => GrainId.Create(TypeOf(document), document);

    /// <summary>The grain type, which is part of the state's key.</summary>
    public static string TypeOf(string document) => Types[PlaceOf(document) % Types.Length];

    /// <summary>Whether a second cluster uses the document, too. Only grains of the other documents write a value at their deactivation.</summary>
    public static bool IsShared(string document) => PlaceOf(document) / Types.Length % 2 == 0;

    private static int PlaceOf(string document) => int.Parse(document.AsSpan(0, document.IndexOf('.', StringComparison.Ordinal)), CultureInfo.InvariantCulture);
}
