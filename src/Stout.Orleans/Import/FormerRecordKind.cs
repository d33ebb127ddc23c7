namespace Stout.Orleans.Import;

/// <summary>The kinds of a record in the former storage.</summary>
internal enum FormerRecordKind
{
    /// <summary>No record, or a cleared one.</summary>
    Missing,

    /// <summary>A value.</summary>
    Value,

    /// <summary>The text that fences a record: the state was imported.</summary>
    Fenced,
}
