namespace Microsoft.SqlServer.Server;

/// <summary>How a user-defined type is serialized.</summary>
public enum Format
{
    /// <summary>Not known.</summary>
    Unknown,

    /// <summary>By the server.</summary>
    Native,

    /// <summary>By the type.</summary>
    UserDefined,
}

/// <summary>A type that serializes itself.</summary>
public interface IBinarySerialize
{
    /// <summary>Reads it.</summary>
    void Read(BinaryReader r);

    /// <summary>Writes it.</summary>
    void Write(BinaryWriter w);
}

/// <summary>Marks a user-defined type.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
public sealed class SqlUserDefinedTypeAttribute(Format format) : Attribute
{
    /// <summary>How it is serialized.</summary>
    public Format Format { get; } = format;

    /// <summary>Whether its bytes are ordered as its values are.</summary>
    public bool IsByteOrdered { get; set; }

    /// <summary>Whether all its values have as many bytes.</summary>
    public bool IsFixedLength { get; set; }

    /// <summary>The most bytes of a value.</summary>
    public int MaxByteSize { get; set; }

    /// <summary>Its name in SQL.</summary>
    public string? Name { get; set; }

    /// <summary>What checks a value.</summary>
    public string? ValidationMethodName { get; set; }
}

/// <summary>A type is no user-defined type.</summary>
public sealed class InvalidUdtException : SystemException
{
    private InvalidUdtException(string message)
        : base(message)
    {
    }

    /// <summary>Says which type, and why.</summary>
    public static InvalidUdtException Create(Type udtType, string resourceReason) => new($"{udtType}: {resourceReason}");
}
