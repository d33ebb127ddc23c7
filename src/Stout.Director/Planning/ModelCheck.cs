using Stout.Director.Decisions;

namespace Stout.Director.Planning;

/// <summary>
/// Compares the measured share of slow reads with the model's prediction. If reads stay slow although no server is loaded above 1, requests cost more than the
/// model says. The predicted loads are then multiplied by a correction.
/// </summary>
internal sealed class ModelCheck(DirectorPolicy policy)
{
    // A single slow period may be chance: 1 % of the periods at a load of 0.95 have more slow reads than the objective allows.
    private const int SlowPeriods = 3;

    // Reads may be slow for other reasons than load, such as a network. So the correction is bounded, and a cluster never grows by more.
    private const double Most = 2;
    private const double Step = 1.2;

    // The correction falls after an hour with less than this part of the allowed slow reads. At the right correction, servers loaded to 0.86 have a quarter.
    private const double Few = 0.05;
    private static readonly TimeSpan Calm = TimeSpan.FromHours(1);

    private int _slow;
    private double _mean;
    private TimeSpan _changed;

    /// <summary>The factor by which requests cost more than the model says.</summary>
    public double Correction { get; private set; } = 1;

    /// <summary>Takes in one period.</summary>
    /// <param name="now">The Director's time.</param>
    /// <param name="slowShare">The measured share of slow reads; null if it is not measured.</param>
    /// <param name="highest">The highest load that the model, without correction, gives to a server by the measured rates.</param>
    /// <param name="isDisturbed">Whether copies ran, which make reads slower.</param>
    /// <returns>The finding; null if the model agrees.</returns>
    public Finding? Add(TimeSpan now, double? slowShare, double highest, bool isDisturbed)
    {
        if (slowShare is not { } slow)
            return null;
        _mean += (slow - _mean) * Math.Min(1, policy.Period / Calm);
        var isUnexplained = slow > policy.SlowBudget && highest > 0 && highest * Correction <= 1 && !isDisturbed;
        _slow = isUnexplained ? _slow + 1 : 0;
        if (_slow >= SlowPeriods)
        {
            (Correction, _slow, _mean, _changed) = (Math.Min(Most, Math.Max(Correction * Step, 1 / highest)), 0, slow, now);
        }
        else if (Correction > 1 && _mean < policy.SlowBudget * Few && now - _changed >= Calm)
        {
            (Correction, _changed) = (Math.Max(1, Correction / Step), now);
        }

        return Correction == 1 ? null : new Finding(
            FindingKind.ModelMismatch,
            FormattableString.Invariant($"Reads were slow although the model saw no overload. Loads are taken to be {Correction:0.00} times the model's; {100 * slow:0.0} % of the reads are slow now. Train the model again, or look for a cause other than load."));
    }
}
