namespace Stout.SqlServer.Client;

/// <summary>How long a statement waits for each lock that another transaction holds, before it ends with error 1222.</summary>
internal enum LockWait
{
    /// <summary>For <see cref="SqlServerOptions.LockTimeout"/>.</summary>
    Short,

    /// <summary>Not at all.</summary>
    None,
}
