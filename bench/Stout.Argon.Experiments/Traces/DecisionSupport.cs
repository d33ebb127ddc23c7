using System.Globalization;

namespace Stout.Argon.Experiments.Traces;

/// <summary>TPC-H's tables customer, orders and lineitem at a tenth of scale 1, and its query 3.</summary>
internal sealed class DecisionSupport(SqliteSession session, int seed)
{
    private const int Customers = 15_000;
    private const int Orders = 150_000;
    private static readonly string[] s_segments = ["AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"];
    private static readonly DateTime s_first = new(1992, 1, 1);
    private readonly Random _random = new(seed);

    /// <summary>Creates and fills the tables: about 90 MB.</summary>
    public void Create()
    {
        foreach (var sql in new[]
        {
            "CREATE TABLE customer(c_custkey INTEGER PRIMARY KEY, c_mktsegment TEXT, c_comment TEXT)",
            "CREATE TABLE orders(o_orderkey INTEGER PRIMARY KEY, o_custkey INTEGER, o_orderdate TEXT, o_shippriority INTEGER, o_comment TEXT)",
            "CREATE TABLE lineitem(l_orderkey INTEGER, l_linenumber INTEGER, l_extendedprice REAL, l_discount REAL, l_shipdate TEXT, l_comment TEXT, PRIMARY KEY(l_orderkey, l_linenumber)) WITHOUT ROWID",
        })
            session.Execute(sql);
        session.Execute("BEGIN");
        for (var customer = 1; customer <= Customers; customer++)
            session.Execute("INSERT INTO customer VALUES ($0, $1, $2)", customer, s_segments[_random.Next(s_segments.Length)], new string('c', 150));
        for (var order = 1; order <= Orders; order++)
        {
            var date = s_first.AddDays(_random.Next(2_406));
            session.Execute("INSERT INTO orders VALUES ($0, $1, $2, 0, $3)", order, _random.Next(1, Customers + 1), Day(date), new string('o', 70));
            for (var line = _random.Next(1, 8); line > 0; line--)
                session.Execute("INSERT INTO lineitem VALUES ($0, $1, $2, $3, $4, $5)", order, line, _random.Next(900, 105_000), _random.Next(11) / 100.0, Day(date.AddDays(_random.Next(1, 122))), new string('l', 80));
        }

        session.Execute("COMMIT");
        session.Execute("ANALYZE");
        session.Execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    /// <summary>Query 3 with TPC-H's validation parameters.</summary>
    public void Run() => session.Execute(
        """
        SELECT l_orderkey, SUM(l_extendedprice * (1 - l_discount)) AS revenue, o_orderdate, o_shippriority
        FROM customer, orders, lineitem
        WHERE c_mktsegment = 'BUILDING' AND c_custkey = o_custkey AND l_orderkey = o_orderkey AND o_orderdate < '1995-03-15' AND l_shipdate > '1995-03-15'
        GROUP BY l_orderkey, o_orderdate, o_shippriority
        ORDER BY revenue DESC, o_orderdate
        LIMIT 10
        """);

    private static string Day(DateTime date) => date.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
}
