using System.Globalization;

namespace Stout.Orleans.Chaos.Silos;

/// <summary>The settings of a silo process, which are passed in environment variables.</summary>
/// <param name="Name">The silo's name.</param>
/// <param name="Cluster">The id of the silo's cluster.</param>
/// <param name="Port">The silo's port.</param>
/// <param name="Membership">The connection string of the membership table.</param>
/// <param name="Store">The connection string of Stout's store.</param>
/// <param name="Schema">The schema of Stout's store.</param>
/// <param name="ClockOffset">How far the silo's clock is ahead of the machine's at its start.</param>
/// <param name="HandsOver">Whether the silo hands its grains over when it leaves.</param>
internal sealed record SiloSettings(string Name, string Cluster, int Port, string Membership, string Store, string Schema, TimeSpan ClockOffset, bool HandsOver)
{
    private const string Prefix = "CHAOS_";

    public static SiloSettings Read() => new(
        Read(nameof(Name)),
        Read(nameof(Cluster)),
        int.Parse(Read(nameof(Port)), CultureInfo.InvariantCulture),
        Read(nameof(Membership)),
        Read(nameof(Store)),
        Read(nameof(Schema)),
        TimeSpan.Parse(Read(nameof(ClockOffset)), CultureInfo.InvariantCulture),
        bool.Parse(Read(nameof(HandsOver))));

    public Dictionary<string, string> ToEnvironment() => new()
    {
        [Prefix + nameof(Name)] = Name,
        [Prefix + nameof(Cluster)] = Cluster,
        [Prefix + nameof(Port)] = Port.ToString(CultureInfo.InvariantCulture),
        [Prefix + nameof(Membership)] = Membership,
        [Prefix + nameof(Store)] = Store,
        [Prefix + nameof(Schema)] = Schema,
        [Prefix + nameof(ClockOffset)] = ClockOffset.ToString("c", CultureInfo.InvariantCulture),
        [Prefix + nameof(HandsOver)] = HandsOver.ToString(),
    };

    private static string Read(string name) =>
        Environment.GetEnvironmentVariable(Prefix + name) ?? throw new InvalidOperationException($"The setting {Prefix}{name} is missing.");
}
