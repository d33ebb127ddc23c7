namespace Stout.Director.Tool.Importing;

/// <summary>The samples of one set of labels on the steps of an import; NaN for a missing sample.</summary>
/// <param name="Labels">The labels.</param>
/// <param name="Values">A value for each step.</param>
internal sealed record Series(IReadOnlyDictionary<string, string> Labels, double[] Values)
{
    public string Label(string name) => Labels.GetValueOrDefault(name, "");

    public string Words => Labels.Count == 0 ? "the series without labels" : "{" + string.Join(", ", Labels.Select(label => $"{label.Key}=\"{label.Value}\"")) + "}";
}
