namespace Stout.Director.Models;

/// <summary>
/// Predicts whether one server of a type can serve a load without violating the objective (the paper's §5.4). The boundary is linear in get and put
/// rate. So loads of bins add up: each costs a share of the server, and 1 is the boundary.
/// </summary>
public sealed record SteadyStateModel
{
    /// <summary>The share of a server that one get per second takes. Above 0.</summary>
    public required double CostOfGet { get; init; }

    /// <summary>The share of a server that one put per second takes. At least 0.</summary>
    public required double CostOfPut { get; init; }

    /// <summary>The loads that the model was trained on.</summary>
    public required LoadRange Trained { get; init; }

    /// <summary>The number of samples that the model was trained on.</summary>
    public int Samples { get; init; }

    /// <summary>The share of the training samples that the model classifies as they were measured, from 0 to 1.</summary>
    public double Accuracy { get; init; }

    /// <summary>The share of a server that a load takes; above 1 the model predicts a violation.</summary>
    /// <param name="gets">Visits by reads per second.</param>
    /// <param name="puts">Visits by writes per second.</param>
    /// <returns>The share.</returns>
    public double Utilization(double gets, double puts) => gets * CostOfGet + puts * CostOfPut;

    /// <summary>The visits per second that a server can serve at a mix of operations.</summary>
    /// <param name="getShare">The share of gets, from 0 to 1.</param>
    /// <returns>Visits per second.</returns>
    public double Capacity(double getShare) => 1 / Utilization(getShare, 1 - getShare);
}
