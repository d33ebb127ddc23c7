namespace Stout.Argon.Experiments.Traces;

/// <summary>TPC-C's tables for one warehouse, and its transactions new order and payment.</summary>
internal sealed class OrderEntry(SqliteSession session, int seed)
{
    private const int Districts = 10;
    private const int Customers = 3_000;
    private const int Items = 100_000;
    private const int Names = 1_000;
    private readonly Random _random = new(seed);

    /// <summary>Creates and fills the tables: about 80 MB.</summary>
    public void Create()
    {
        foreach (var sql in new[]
        {
            "CREATE TABLE warehouse(w INTEGER PRIMARY KEY, ytd REAL, data TEXT)",
            "CREATE TABLE district(d INTEGER PRIMARY KEY, ytd REAL, next INTEGER, data TEXT)",
            "CREATE TABLE customer(d INTEGER, c INTEGER, last INTEGER, balance REAL, paid REAL, data TEXT, PRIMARY KEY(d, c)) WITHOUT ROWID",
            "CREATE TABLE item(i INTEGER PRIMARY KEY, price REAL, data TEXT)",
            "CREATE TABLE stock(i INTEGER PRIMARY KEY, quantity INTEGER, ytd INTEGER, data TEXT)",
            "CREATE TABLE orders(d INTEGER, o INTEGER, c INTEGER, lines INTEGER, PRIMARY KEY(d, o)) WITHOUT ROWID",
            "CREATE TABLE new_order(d INTEGER, o INTEGER, PRIMARY KEY(d, o)) WITHOUT ROWID",
            "CREATE TABLE order_line(d INTEGER, o INTEGER, n INTEGER, i INTEGER, quantity INTEGER, amount REAL, data TEXT, PRIMARY KEY(d, o, n)) WITHOUT ROWID",
            "CREATE TABLE history(d INTEGER, c INTEGER, amount REAL, data TEXT)",
            "CREATE INDEX by_last ON customer(d, last)",
        })
            session.Execute(sql);
        session.Execute("BEGIN");
        session.Execute("INSERT INTO warehouse VALUES (1, 0, $0)", Text(90));
        for (var item = 1; item <= Items; item++)
        {
            session.Execute("INSERT INTO item VALUES ($0, $1, $2)", item, _random.Next(1, 100), Text(60));
            session.Execute("INSERT INTO stock VALUES ($0, $1, 0, $2)", item, _random.Next(10, 100), Text(280));
        }

        for (var district = 1; district <= Districts; district++)
        {
            session.Execute("INSERT INTO district VALUES ($0, 0, $1, $2)", district, Customers + 1, Text(90));
            for (var customer = 1; customer <= Customers; customer++)
            {
                session.Execute("INSERT INTO customer VALUES ($0, $1, $2, 0, 0, $3)", district, customer, customer % Names, Text(500));
                AddOrder(district, customer, customer, 10);
            }
        }

        session.Execute("COMMIT");
        session.Execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    /// <summary>Runs a random mix of transactions: 51 new orders to 49 payments, the ratio of TPC-C's 45 % to 43 %.</summary>
    public void Run(int transactions)
    {
        for (var i = 0; i < transactions; i++)
        {
            session.Execute("BEGIN IMMEDIATE");
            if (_random.Next(100) < 51)
                NewOrder();
            else
                Pay();
            session.Execute("COMMIT");
        }
    }

    private void NewOrder()
    {
        var (district, customer) = (_random.Next(1, Districts + 1), Skewed(1023, 1, Customers));
        session.Execute("SELECT ytd FROM warehouse WHERE w = 1");
        session.Execute("SELECT balance FROM customer WHERE d = $0 AND c = $1", district, customer);
        var order = (long)session.Execute("UPDATE district SET next = next + 1 WHERE d = $0 RETURNING next - 1", district)!;
        var lines = _random.Next(5, 16);
        session.Execute("INSERT INTO new_order VALUES ($0, $1)", district, order);
        AddOrder(district, order, customer, lines);
    }

    private void AddOrder(int district, long order, int customer, int lines)
    {
        session.Execute("INSERT INTO orders VALUES ($0, $1, $2, $3)", district, order, customer, lines);
        for (var line = 1; line <= lines; line++)
        {
            var (item, quantity) = (Skewed(8191, 1, Items), _random.Next(1, 11));
            if (order > Customers)
            {
                session.Execute("SELECT price FROM item WHERE i = $0", item);
                session.Execute("UPDATE stock SET quantity = (quantity - $0 + 91) % 91 + 10, ytd = ytd + $0 WHERE i = $1", quantity, item);
            }

            session.Execute("INSERT INTO order_line VALUES ($0, $1, $2, $3, $4, $5, $6)", district, order, line, item, quantity, 1.0, Text(24));
        }
    }

    private void Pay()
    {
        var (district, amount) = (_random.Next(1, Districts + 1), _random.Next(1, 5_000));
        session.Execute("UPDATE warehouse SET ytd = ytd + $0 WHERE w = 1", amount);
        session.Execute("UPDATE district SET ytd = ytd + $0 WHERE d = $1", amount, district);
        var customer = _random.Next(100) < 60
            ? (int)(long)session.Execute("SELECT c FROM customer WHERE d = $0 AND last = $1 ORDER BY c LIMIT 1 OFFSET 1", district, Skewed(255, 0, Names - 1))!
            : Skewed(1023, 1, Customers);
        session.Execute("UPDATE customer SET balance = balance - $0, paid = paid + $0 WHERE d = $1 AND c = $2", amount, district, customer);
        session.Execute("INSERT INTO history VALUES ($0, $1, $2, $3)", district, customer, amount, Text(24));
    }

    // TPC-C's function for non-uniform random numbers, NURand.
    private int Skewed(int a, int low, int high) => low + ((_random.Next(a + 1) | _random.Next(low, high + 1)) % (high - low + 1));

    private string Text(int length) => new((char)_random.Next('a', 'z'), length);
}
