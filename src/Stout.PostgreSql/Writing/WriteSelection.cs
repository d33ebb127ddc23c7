namespace Stout.PostgreSql.Writing;

/// <summary>A subset of a batch's writes, which is sent separately.</summary>
/// <param name="Indexes">The indexes of the writes.</param>
/// <param name="IsPatient">Whether the server waits <see cref="PostgreSqlOptions.LockTimeout"/> for locks that it cannot skip.</param>
internal sealed record WriteSelection(IReadOnlyList<int> Indexes, bool IsPatient);
