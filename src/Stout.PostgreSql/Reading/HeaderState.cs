using Stout.Storage;

namespace Stout.PostgreSql.Reading;

/// <summary>The state of an object in its header.</summary>
internal enum HeaderState
{
    /// <summary>The object exists.</summary>
    Lives,

    /// <summary>The key has no object: it was deleted, or claimed and never written.</summary>
    HasNoObject,

    /// <summary>The row violates the layout.</summary>
    IsDamaged,
}

/// <summary>The SQL expression for the state of a header <c>h</c>.</summary>
internal static class HeaderStates
{
    public static readonly string Expression =
        $"""
        CASE
            WHEN octet_length(h.generation) <> {Stamp.Bytes} OR h.generation >= decode('80', 'hex') THEN {(int)HeaderState.IsDamaged}
            WHEN h.deleted_at IS NULL AND h.stamp <> '' THEN {(int)HeaderState.Lives}
            WHEN h.deleted_at IS NOT NULL AND h.generation IS NULL AND h.value IS NULL THEN {(int)HeaderState.HasNoObject}
            ELSE {(int)HeaderState.IsDamaged}
        END
        """;
}
