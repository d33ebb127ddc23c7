namespace Stout.Benchmarks.Grains;

/// <summary>A state of about 200 bytes of JSON.</summary>
[GenerateSerializer]
[Alias("Stout.Benchmarks.Grains.Account")]
public sealed class Account
{
    [Id(0)]
    public string Owner { get; set; } = new('o', 100);

    [Id(1)]
    public long Balance { get; set; }

    [Id(2)]
    public DateTime Changed { get; set; }
}
