using Npgsql;
using NpgsqlTypes;

namespace Stout.PostgreSql.Sessions;

/// <summary>A list as an array parameter of a command that is reused: the list is filled anew for each request.</summary>
internal static class ArrayParameter
{
    public static NpgsqlParameter Of<T>(List<T> values, NpgsqlDbType element) =>
        new NpgsqlParameter<List<T>> { TypedValue = values, NpgsqlDbType = NpgsqlDbType.Array | element };
}
