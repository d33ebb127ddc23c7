namespace Stout.SqlServer.Client;

/// <summary>The longest wait of a statement for another transaction's lock, before error 1222.</summary>
internal enum LockWait
{
    /// <summary>Waits for <see cref="SqlServerOptions.LockTimeout"/>.</summary>
    Short,

    /// <summary>Does not wait.</summary>
    None,
}
