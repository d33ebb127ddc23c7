using System.Text.Json;
using System.Text.Json.Nodes;
using Stout.Director.Tool.Fitting;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Answers;

/// <summary>Writes answers as JSON.</summary>
internal static class AnswersJson
{
    private static readonly JsonSerializerOptions Form = new() { WriteIndented = true };

    public static string Of(ServiceHistory history, IReadOnlyList<AnswerSet> sets, Backtest? backtest) => new JsonObject
    {
        ["version"] = 1,
        ["start"] = history.Start,
        ["end"] = history.End,
        ["gaps"] = new JsonArray([.. history.Gaps().Select(gap => new JsonObject { ["start"] = history.At(gap.First), ["steps"] = gap.Count })]),
        ["lacks"] = new JsonArray([.. history.Lacks.Select(lack => JsonValue.Create(lack))]),
        ["model"] = sets[0].Kind.Fit is { } fit ? Of(fit, sets[0].Situation.Objective) : null,
        ["backtest"] = backtest is null ? null : Of(backtest),
        ["situations"] = new JsonArray([.. sets.Select(Of)]),
    }.ToJsonString(Form) + "\n";

    /// <summary>The measured and the predicted figures of a backtest.</summary>
    public static JsonObject Of(Backtest backtest) => new()
    {
        ["from"] = backtest.From,
        ["measured"] = Of(backtest.Measured),
        ["predicted"] = Of(backtest.Predicted),
        ["slowError"] = double.IsFinite(backtest.SlowError) ? backtest.SlowError : null,
        ["attainedIsWithin"] = backtest.IsAttainedWithin,
    };

    private static JsonObject Of(AnswerSet set) => new()
    {
        ["words"] = set.Situation.Words,
        ["objective"] = set.Situation.Objective.ToString(),
        ["type"] = set.Kind.Name,
        ["bootSeconds"] = set.Situation.Boot.TotalSeconds,
        ["chargeSeconds"] = set.Situation.Charge.TotalSeconds,
        ["least"] = set.Situation.Least,
        ["most"] = set.Situation.Most,
        ["scale"] = set.Situation.Scale,
        ["pricePerHour"] = set.Kind.PriceOfHour(set.Situation),
        ["measured"] = set.Measured is { } measured ? Of(measured) : null,
        ["answers"] = new JsonArray([.. set.Answers.Select(Of)]),
    };

    private static JsonObject Of(Answer answer) => new()
    {
        ["rule"] = answer.Rule.Words,
        ["servers"] = Of(answer.Of(one => one.Servers)),
        ["most"] = Of(answer.Of(one => one.Most)),
        ["serverHours"] = Of(answer.Of(one => one.ServerHours)),
        ["cost"] = Of(answer.Of(one => one.Cost)),
        ["attained"] = Of(answer.Of(one => one.Attained)),
        ["violatedMinutes"] = Of(answer.Of(one => one.ViolatedMinutes)),
        ["slow"] = Of(answer.Of(one => one.Slow)),
        ["extrapolated"] = Of(answer.Of(one => one.Extrapolated)),
    };

    private static JsonObject Of(Outcome outcome) => new()
    {
        ["servers"] = outcome.Servers,
        ["most"] = outcome.Most,
        ["serverHours"] = outcome.ServerHours,
        ["cost"] = outcome.Cost,
        ["attained"] = outcome.Attained,
        ["violatedMinutes"] = outcome.ViolatedMinutes,
        ["slow"] = outcome.Slow,
    };

    private static JsonObject Of(Band band) => new() { ["best"] = band.Best, ["low"] = band.Low, ["high"] = band.High };

    private static JsonObject Of(ProductionFit fit, ServiceObjective objective) => new()
    {
        ["boundary"] = Of(new Band(FittedModel.Boundary(fit, fit.Best, objective), FittedModel.Boundary(fit, fit.Low, objective), FittedModel.Boundary(fit, fit.High, objective))),
        ["saturation"] = Of(new Band(fit.Best.Saturation, fit.Low.Saturation, fit.High.Saturation)),
        ["isBounded"] = fit.IsBounded,
        ["highestMeasuredLoad"] = fit.HighestLoad,
        ["error"] = fit.Error,
        ["writeCost"] = fit.WriteCost,
        ["knowsWrites"] = fit.KnowsWrites,
    };
}
