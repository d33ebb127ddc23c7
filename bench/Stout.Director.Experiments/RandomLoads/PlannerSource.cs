using System.Security.Cryptography;

namespace Stout.Director.Experiments.RandomLoads;

/// <summary>The sources of the planner, from which the seed of reported loads follows: a policy can't be tuned on the loads that it is reported on.</summary>
internal static class PlannerSource
{
    private const string Prefix = "planner/";

    /// <summary>The first 31 bits of the hash of all sources that decide.</summary>
    public static int Seed()
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var assembly = typeof(PlannerSource).Assembly;
        foreach (var name in assembly.GetManifestResourceNames().Where(name => name.StartsWith(Prefix, StringComparison.Ordinal)).Order(StringComparer.Ordinal))
        {
            using var reader = new StreamReader(assembly.GetManifestResourceStream(name)!);
            // Line ends differ from checkout to checkout.
            hash.AppendData(System.Text.Encoding.UTF8.GetBytes(reader.ReadToEnd().ReplaceLineEndings("\n")));
        }

        return BitConverter.ToInt32(hash.GetHashAndReset()) & int.MaxValue;
    }
}
