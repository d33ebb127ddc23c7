namespace Stout.PostgreSql.Writing;

/// <summary>Some writes of a batch, which are sent apart from the others.</summary>
/// <param name="Indexes">Which writes.</param>
/// <param name="IsPatient">Whether the server waits <see cref="PostgreSqlOptions.LockTimeout"/> for locks that it can't skip.</param>
internal sealed record WriteSelection(IReadOnlyList<int> Indexes, bool IsPatient);
