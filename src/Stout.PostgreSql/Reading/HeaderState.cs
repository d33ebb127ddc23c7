namespace Stout.PostgreSql.Reading;

/// <summary>The state of an object in its header.</summary>
internal enum HeaderState
{
    /// <summary>The object exists.</summary>
    Lives,

    /// <summary>The object was deleted.</summary>
    IsDeleted,

    /// <summary>The row violates the layout.</summary>
    IsDamaged,
}
