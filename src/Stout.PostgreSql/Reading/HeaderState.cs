namespace Stout.PostgreSql.Reading;

/// <summary>What a header says of its object, as the server tells it.</summary>
internal enum HeaderState
{
    /// <summary>The object exists.</summary>
    Lives,

    /// <summary>It was deleted.</summary>
    IsDeleted,

    /// <summary>This library writes no such row.</summary>
    IsDamaged,
}
