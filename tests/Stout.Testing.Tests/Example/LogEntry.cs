using System.Collections.Immutable;
using Stout.Storage;

namespace Stout.Testing.Tests.Example;

/// <summary>All that the store holds of a key. It never changes: a write puts another one in its place.</summary>
internal sealed record LogEntry(KeyHeader Header, bool Exists, ImmutableDictionary<SubKey, byte[]> Parts)
{
    public static LogEntry Absent { get; } = new(default, Exists: false, ImmutableDictionary<SubKey, byte[]>.Empty);

    public LogEntry With(in KeyWrite write, ReadOnlySpan<PartWrite> parts)
    {
        var kept = (write.Kind == KeyWriteKind.Merge ? Parts : Absent.Parts).ToBuilder();
        foreach (var part in parts)
        {
            if (part.IsDeleted)
                kept.Remove(part.SubKey);
            else
                kept[part.SubKey] = part.Value.ToArray();
        }

        return new LogEntry(Header with { Version = write.Next }, write.Kind != KeyWriteKind.Delete, kept.ToImmutable());
    }

    public void Write(BinaryWriter writer, PartitionKey key)
    {
        Span<byte> header = stackalloc byte[Stamp.Bytes + KeyOwner.Bytes];
        Header.Version.Write(header);
        Header.Owner.Write(header[Stamp.Bytes..]);
        writer.Write(key.Text);
        writer.Write(header);
        writer.Write(Exists);
        writer.Write(Parts.Count);
        foreach (var (subKey, value) in Parts)
        {
            writer.Write(subKey.Text);
            writer.Write(value.Length);
            writer.Write(value);
        }
    }

    public static (PartitionKey Key, LogEntry Entry) Read(BinaryReader reader)
    {
        var key = new PartitionKey(reader.ReadString());
        var version = Stamp.Read(reader.ReadBytes(Stamp.Bytes));
        KeyOwner.TryRead(reader.ReadBytes(KeyOwner.Bytes), out var owner);
        var exists = reader.ReadBoolean();
        var parts = Absent.Parts.ToBuilder();
        for (var left = reader.ReadInt32(); left > 0; left--)
            parts[new SubKey(reader.ReadString())] = reader.ReadBytes(reader.ReadInt32());
        return (key, new LogEntry(new KeyHeader(version, owner), exists, parts.ToImmutable()));
    }
}
