namespace Stout.Director.Loads;

/// <summary>Rates of the two kinds of operation, in operations per second.</summary>
/// <param name="Gets">Reads per second. At least 0.</param>
/// <param name="Puts">Writes per second. At least 0.</param>
internal readonly record struct OperationRates(double Gets, double Puts)
{
    /// <summary>Both kinds together, per second.</summary>
    public double Total => Gets + Puts;

    /// <summary>Adds rates kind by kind.</summary>
    /// <param name="left">The one summand.</param>
    /// <param name="right">The other summand.</param>
    /// <returns>The sum.</returns>
    public static OperationRates operator +(OperationRates left, OperationRates right) => new(left.Gets + right.Gets, left.Puts + right.Puts);

    /// <summary>Multiplies both rates by a factor.</summary>
    /// <param name="rates">The rates.</param>
    /// <param name="factor">The factor.</param>
    /// <returns>The product.</returns>
    public static OperationRates operator *(OperationRates rates, double factor) => new(rates.Gets * factor, rates.Puts * factor);
}
