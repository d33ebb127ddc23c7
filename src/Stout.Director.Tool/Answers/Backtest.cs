using Stout.Director.Tool.Fitting;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Answers;

/// <summary>How well a model of the first part of a history predicts its last part, under the recorded load and number of servers.</summary>
/// <param name="From">The beginning of the last part.</param>
/// <param name="Fit">The fit to the first part.</param>
/// <param name="Measured">The figures that were measured in the last part.</param>
/// <param name="Predicted">The predicted figures.</param>
internal sealed record Backtest(DateTimeOffset From, ProductionFit Fit, Outcome Measured, Answer Predicted)
{
    private const int Seeds = 3;

    /// <summary>The mean absolute error of the share of slow reads, over the intervals whose share is known.</summary>
    public double SlowError => Predicted.Best.SlowShares.Zip(Measured.SlowShares).Where(pair => double.IsFinite(pair.First) && double.IsFinite(pair.Second))
        .Select(pair => Math.Abs(pair.First - pair.Second)).DefaultIfEmpty(double.NaN).Average();

    /// <summary>Whether the measured attained percentile lies within the predicted range.</summary>
    public bool IsAttainedWithin => Predicted.Of(one => one.Attained) is var band && Measured.Attained >= band.Low && Measured.Attained <= band.High;

    /// <summary>The steps of the last part: a week if the history has two or more, else a quarter.</summary>
    public static int LastSteps(ServiceHistory history)
    {
        var week = (int)(TimeSpan.FromDays(7) / history.Step);
        return history.Steps >= 2 * week ? week : Math.Max(1, history.Steps / 4);
    }

    /// <exception cref="HistoryException">The history lacks latency or the number of servers, or the part is no part of it.</exception>
    public static Backtest Make(ServiceHistory history, ServiceObjective objective, int lastSteps, int seed, CancellationToken cancellationToken)
    {
        if (lastSteps < 1 || lastSteps >= history.Steps)
            throw new HistoryException($"The last part has {lastSteps} steps, and the history {history.Steps}.");
        var first = history.Slice(0, history.Steps - lastSteps);
        var last = history.Slice(history.Steps - lastSteps, lastSteps);
        var fit = ProductionTrainer.Train(first);
        var kind = new ServerKind("server", fit, null, history.StepSeconds, null);
        var measured = Tool.Answers.Measured.Of(last, objective, 1) ?? throw new HistoryException("The last part of the history lacks latency at the threshold or the number of servers.");
        // The recorded servers served already: they neither boot nor are bounded.
        var situation = new Situation { Objective = objective, Boot = TimeSpan.Zero, Charge = TimeSpan.FromMinutes(1), Least = 1, Most = 100_000 };
        var runs = new Runs(last, kind, 0);
        var outcomes = kind.Models(objective).SelectMany((model, i) => Enumerable.Range(0, i == 0 ? Seeds : 1).Select(run => runs.Run(Rule.Recorded, situation, model, seed + run, cancellationToken))).ToList();
        return new Backtest(last.Start, fit, measured, new Answer(Rule.Recorded, outcomes));
    }
}
