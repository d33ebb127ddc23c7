namespace Stout.Director.Models;

/// <summary>Checks that the models and numbers of a server type can be used.</summary>
internal static class ServerTypeChecks
{
    /// <exception cref="ModelException">The type can't be used.</exception>
    public static void Check(this ServerType type)
    {
        var model = type.SteadyState;
        if (!(double.IsFinite(model.CostOfGet) && model.CostOfGet > 0 && double.IsFinite(model.CostOfPut) && model.CostOfPut >= 0))
            throw new ModelException($"The model of {type.Name} classifies nothing: a get has to cost more than 0 and a put at least 0.");
        if (type.Memory <= 0 || !(type.Price >= 0 && double.IsFinite(type.Price)))
            throw new ModelException($"{type.Name} needs a memory above 0 and a finite price of at least 0.");
        if (type.Copies.Coefficients.Count != 7 || type.Copies.Scales.Count != 3 || type.Copies.Scales.Any(scale => !(scale > 0)) || !type.Copies.Coefficients.All(double.IsFinite))
            throw new ModelException($"The copy-duration model of {type.Name} needs 7 finite coefficients and 3 scales above 0.");
    }
}
