using Stout.Director.Models;
using Stout.Director.Tool.Fitting;

namespace Stout.Director.Tool.Answers;

/// <summary>A kind of server on which alternatives run: that of the history, or one with a model file.</summary>
/// <param name="Name">The name.</param>
/// <param name="Fit">The fit to the history; null for a model file.</param>
/// <param name="File">The model file; null for a fit.</param>
/// <param name="StepSeconds">The length of the history's steps.</param>
/// <param name="UtilizationAt">The load in reads per second at a utilization of the processor; null without a measured utilization.</param>
internal sealed record ServerKind(string Name, ProductionFit? Fit, ModelFile? File, double StepSeconds, Func<double, double>? UtilizationAt)
{
    /// <summary>The cost of a write relative to that of a read.</summary>
    public double WriteCost => Fit?.WriteCost ?? File!.Type.SteadyState.CostOfPut / File.Type.SteadyState.CostOfGet;

    /// <summary>The highest measured load of a server in reads per second.</summary>
    public double HighestLoad => Fit?.HighestLoad ?? File!.Type.SteadyState.Trained.MostGets;

    /// <summary>The price of a server for an hour: a model file has that of one paid interval; a fit costs 1.</summary>
    public double PriceOfHour(Situation situation) => situation.Price ?? File?.Type.Price / situation.Charge.TotalHours ?? 1;

    /// <summary>The models for an objective: the best first, then those of the least and the highest saturation that the history does not exclude.</summary>
    public IReadOnlyList<ModelFile> Models(ServiceObjective objective)
    {
        if (Fit is null)
            return [Simulation.Training.ModelRetargeting.For(File!, objective, 1)];
        return [.. new[] { Fit.Best, Fit.Low, Fit.High }.Distinct().Select(curve => FittedModel.Of(Fit, curve, objective, Name, 1, StepSeconds))];
    }
}
