namespace Stout.Director.Tool.Importing;

/// <summary>The labels by which series are read, and how requests are counted.</summary>
/// <param name="ServerLabel">The label that names a server.</param>
/// <param name="MethodLabel">The label whose values GET, HEAD, OPTIONS and QUERY are reads. Other values are writes.</param>
/// <param name="BinLabel">The label that names a bin; null for a divisible load.</param>
/// <param name="AllReads">Whether all requests count as reads.</param>
internal sealed record ImportSettings(string ServerLabel, string MethodLabel, string? BinLabel, bool AllReads)
{
    private static readonly string[] Reading = ["GET", "HEAD", "OPTIONS", "QUERY", "_OTHER", ""];

    /// <summary>Whether the requests of a series are reads.</summary>
    public bool IsRead(Series series) => AllReads || Reading.Contains(series.Label(MethodLabel).ToUpperInvariant());
}
