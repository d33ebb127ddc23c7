using Stout.Documents;
using Stout.Sqlite;

namespace Documentation.Examples;

/// <summary>The code of the page inside the package Stout.Sqlite.</summary>
public static class SqlitePage
{
    public static async Task OpenAsync()
    {
        #region sqlite
        await using var store = await DocumentStore.OpenAsync(new SqliteStorage(new SqliteOptions { Path = "data/docs.db" }));
        #endregion
    }
}
