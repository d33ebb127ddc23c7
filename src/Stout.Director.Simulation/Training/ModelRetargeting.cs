using Stout.Director.Models;
using Stout.Director.Simulation.Physics;

namespace Stout.Director.Simulation.Training;

/// <summary>Derives a model for another objective, or for reads that are sent to another number of servers, from a model's latencies.</summary>
internal static class ModelRetargeting
{
    /// <summary>
    /// A model for another objective, or for reads that are sent to another number of servers. The boundary is the load at which the measured share of slow reads passes the share that the objective allows.
    /// </summary>
    /// <param name="model">A model with latencies.</param>
    /// <param name="objective">The other objective.</param>
    /// <param name="asked">The number of servers that each read is sent to. 1 or more; above 2, the boundary is that of 2. Default: 2.</param>
    /// <returns>The model with scaled costs.</returns>
    /// <exception cref="ModelException">The model has no latencies, or no load meets the objective.</exception>
    public static ModelFile For(this ModelFile model, ServiceObjective objective, int asked = 2)
    {
        asked = Math.Min(asked, 2);
        var own = ServiceObjective.Parse(model.Objective);
        if (own.Percentile == objective.Percentile && own.Threshold == objective.Threshold && Math.Min(model.Asked, 2) == asked)
            return model;
        var flow = new Running.FlowTable(model, objective, asked);
        double low = 0, high = flow.Saturation;
        if (Math.Pow(flow.Slow(low), asked) > objective.SlowBudget)
            throw new ModelException($"Servers of type {model.Type.Name} do not meet \"{objective}\" even without load.");
        for (var step = 0; step < 50; step++)
        {
            var middle = (low + high) / 2;
            if (Math.Pow(flow.Slow(middle), asked) > objective.SlowBudget)
                high = middle;
            else
                low = middle;
        }

        var table = model.Latencies!;
        var steady = model.Type.SteadyState;
        return model with
        {
            Objective = objective.ToString(),
            Asked = asked,
            Type = model.Type with { SteadyState = steady with { CostOfGet = steady.CostOfGet / low, CostOfPut = steady.CostOfPut / low } },
            Latencies = table with { Loads = [.. table.Loads.Select(load => load / low)], Saturation = table.Saturation / low },
        };
    }

    /// <summary>The behavior of a server that is known only by its model, for the flow mode.</summary>
    /// <param name="model">A model with latencies.</param>
    /// <returns>The behavior.</returns>
    /// <exception cref="ModelException">The model has no latencies.</exception>
    public static ServerPhysics Physics(this ModelFile model)
    {
        var table = model.Latencies ?? throw new ModelException($"The model of {model.Type.Name} has no latencies: train it on a simulator, or on telemetry with latencies.");
        // In proportion to m1.small, whose model has exactly its own behavior.
        var (small, known, own) = (ServerPhysics.SmallInstance, TrainedModels.SmallInstance, model.Type.SteadyState);
        var saturation = known.Latencies!.Saturation / table.Saturation;
        return small with
        {
            GetTime = small.GetTime * (own.CostOfGet / known.Type.SteadyState.CostOfGet * saturation),
            PutTime = small.PutTime * (own.CostOfPut / known.Type.SteadyState.CostOfPut * saturation),
            CopyCapacity = 1 / table.CopyShare,
            LongestQueue = table.LongestQueue,
        };
    }
}
