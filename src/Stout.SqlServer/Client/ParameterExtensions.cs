using System.Data;
using Microsoft.Data.SqlClient;
using Microsoft.Data.SqlClient.Server;

namespace Stout.SqlServer.Client;

/// <summary>Table-valued parameters.</summary>
internal static class ParameterExtensions
{
    /// <summary>Adds a table-valued parameter.</summary>
    /// <param name="parameters">The command's parameters.</param>
    /// <param name="name">The parameter's name.</param>
    /// <param name="type">The table type's name.</param>
    /// <param name="rows">The table's rows; at least one.</param>
    public static void AddTable(this SqlParameterCollection parameters, string name, string type, IEnumerable<SqlDataRecord> rows)
    {
        var parameter = parameters.Add(name, SqlDbType.Structured);
        parameter.TypeName = type;
        parameter.Value = rows;
    }
}
