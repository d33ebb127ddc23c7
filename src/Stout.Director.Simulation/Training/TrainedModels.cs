using Stout.Director.Models;

namespace Stout.Director.Simulation.Training;

/// <summary>Models that come with the package.</summary>
public static class TrainedModels
{
    /// <summary>The model of <see cref="Physics.ServerPhysics.SmallInstance"/> for the paper's objective, as <see cref="ModelTrainer"/> trains it by default.</summary>
    public static ModelFile SmallInstance { get; } = Read("m1.small.json");

    private static ModelFile Read(string name)
    {
        using var stream = typeof(TrainedModels).Assembly.GetManifestResourceStream(name)!;
        return ModelFile.Read(stream);
    }
}
