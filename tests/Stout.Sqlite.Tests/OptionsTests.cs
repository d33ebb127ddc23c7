namespace Stout.Sqlite.Tests;

public sealed class OptionsTests
{
    public static TheoryData<string, Action<SqliteOptions>> BadOptions { get; } = new()
    {
        { nameof(SqliteOptions.Path), options => options.Path = "" },
        { nameof(SqliteOptions.Path), options => options.Path = "directory/" },
        { nameof(SqliteOptions.Path), options => options.Path = " " },
        { nameof(SqliteOptions.Path), options => options.Path = "a\0b" },
        { nameof(SqliteOptions.Partitions), options => options.Partitions = 0 },
        { nameof(SqliteOptions.Partitions), options => options.Partitions = 1_025 },
        { nameof(SqliteOptions.CheckpointPages), options => options.CheckpointPages = 15 },
        { nameof(SqliteOptions.MaxDatabaseBytes), options => options.MaxDatabaseBytes = 1 },
        { nameof(SqliteOptions.Sweeping) + ":Retention", options => options.Sweeping.Retention = TimeSpan.Zero },
        { nameof(SqliteOptions.Sweeping) + ":Retention", options => options.Sweeping.Retention = TimeSpan.MaxValue },
    };

    [Theory]
    [MemberData(nameof(BadOptions), DisableDiscoveryEnumeration = true)]
    public void Option_out_of_its_range_is_named(string option, Action<SqliteOptions> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        var options = new SqliteOptions { Path = "docs.db" };
        change(options);

        var error = Assert.Throws<InvalidOptionException>(() => new SqliteStorage(options));

        Assert.Equal(option, error.Option);
    }

    [Fact]
    public void Bundled_SQLite_is_the_version_that_the_documentation_speaks_of()
    {
        SQLitePCL.Batteries_V2.Init();

        Assert.Equal("3.53.4", SQLitePCL.raw.sqlite3_libversion().utf8_to_string());
    }
}
