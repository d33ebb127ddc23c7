namespace Stout.Director.Experiments.RandomLoads;

/// <summary>The figures of one controller on a drawn load.</summary>
/// <param name="Controller">The controller.</param>
/// <param name="Cost">The price of all paid intervals.</param>
/// <param name="ViolatedMinutes">The minutes with more slow reads than the objective allows.</param>
/// <param name="Actions">The servers leased and released after the start.</param>
internal sealed record ControllerRun(string Controller, double Cost, int ViolatedMinutes, int Actions);
