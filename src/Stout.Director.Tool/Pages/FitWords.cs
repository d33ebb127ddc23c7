using Stout.Director.Tool.Answers;
using Stout.Director.Tool.Fitting;

namespace Stout.Director.Tool.Pages;

/// <summary>Tells the quality of a fit and of a backtest in words.</summary>
internal static class FitWords
{
    public static string Of(ProductionFit fit, ServiceObjective objective)
    {
        var (best, low, high) = (FittedModel.Boundary(fit, fit.Best, objective), FittedModel.Boundary(fit, fit.Low, objective), FittedModel.Boundary(fit, fit.High, objective));
        var writes = fit.KnowsWrites
            ? FormattableString.Invariant($"A write costs as much as {fit.WriteCost:0.##} reads.")
            : "The mix of reads and writes hardly varied, so that a write is taken to cost as much as a read.";
        var range = fit.IsBounded
            ? FormattableString.Invariant($"One server keeps the objective up to {best:#,0.##} reads/s ({low:#,0.##} to {high:#,0.##}).")
            : FormattableString.Invariant($"No load of the history made reads wait, so that the most that one server can serve is not known: it is at least {best:#,0.##} reads/s.");
        var extrapolated = best > fit.HighestLoad
            ? FormattableString.Invariant($"That is an extrapolation: the highest measured load was {fit.HighestLoad:#,0.##} reads/s.")
            : FormattableString.Invariant($"Loads up to {fit.HighestLoad:#,0.##} reads/s were measured.");
        return FormattableString.Invariant($"{range} {extrapolated} The fit's error is {fit.Error:0.###} (root mean square, on arcsine square roots of the shares), over {fit.Classes.Count} loads. {writes}");
    }

    public static string Of(Backtest backtest)
    {
        var predicted = backtest.Predicted;
        return FormattableString.Invariant(
            $"A model of the time before {backtest.From.UtcDateTime:yyyy-MM-dd HH:mm} UTC predicts the time after it, with the recorded load and servers. Attained percentile: measured {Percentile(backtest.Measured.Attained)}, predicted {predicted.Of(one => one.Attained).Words(Percentile)}. Violated minutes: measured {backtest.Measured.ViolatedMinutes:0.#}, predicted {predicted.Of(one => one.ViolatedMinutes).Words(AnswerTable.Short)}. Slow reads: measured {100 * backtest.Measured.Slow:0.###} %, predicted {predicted.Of(one => 100 * one.Slow).Words(AnswerTable.Fine)} %; the mean error of an interval is {100 * backtest.SlowError:0.###} points. The measured percentile is {(backtest.IsAttainedWithin ? "within" : "outside of")} the predicted range.");
    }

    public static string Percentile(double percentile) => percentile > 0 ? FormattableString.Invariant($"{percentile:0.#}") : "below 50";
}
