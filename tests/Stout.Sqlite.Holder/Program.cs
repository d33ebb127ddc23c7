// A second process for the tests: opens the store that it is given, says so, and writes until it is killed.
using Stout;
using Stout.Sqlite;
using Stout.Storage;

await using var storage = new SqliteStorage(args[0]);
try
{
    var partition = (await storage.OpenAsync())[0];
    Console.WriteLine("open");
    var writer = Guid.NewGuid();
    var stamp = Stamp.Absent;
    var batch = new WriteBatch();
    for (var i = 1L; ; i++)
    {
        var next = new Stamp(0, writer, i);
        batch.Clear();
        var part = new PartWrite(SubKey.Root, IsDeleted: false, BitConverter.GetBytes(i));
        batch.Add(new KeyWrite(new PartitionKey("counter"), KeyWriteKind.Merge, stamp, null, next), [part]);
        await partition.WriteAsync(batch, CancellationToken.None);
        if (batch.OutcomeOf(0).Kind != WriteOutcomeKind.Committed)
            throw batch.OutcomeOf(0).Error!;
        stamp = next;
        Console.Write($"{i}\n");
    }
}
catch (StoreException error)
{
    Console.WriteLine(error.Kind);
    return 1;
}
