using Stout.Storage;

namespace Stout.Orleans.Storage;

/// <summary>The owner and version of a state's key when an activation closed it. A migrating grain takes them along to its next activation.</summary>
[GenerateSerializer, Immutable]
[Alias("Stout.Orleans.HandedOverKey")]
internal sealed class HandedOverKey
{
    [Id(0)]
    public required string Provider { get; init; }

    [Id(1)]
    public required string StateName { get; init; }

    [Id(2)]
    public long Epoch { get; init; }

    [Id(3)]
    public Guid Claim { get; init; }

    [Id(4)]
    public required byte[] Version { get; init; }

    [Id(5)]
    public int Kind { get; init; }

    public static HandedOverKey? Of(string provider, string stateName, KeyPosition? position)
    {
        if (position is null)
            return null;
        var version = new byte[Stamp.Bytes];
        position.Version.Write(version);
        return new HandedOverKey
        {
            Provider = provider,
            StateName = stateName,
            Epoch = position.Owner.Epoch,
            Claim = position.Owner.Claim,
            Version = version,
            Kind = (int)position.Kind,
        };
    }

    public KeyPosition ToPosition() => new(new KeyOwner(Epoch, Claim), Stamp.Read(Version), (StateKind)Kind);
}
