// A second process for the tests: opens the store that it is given, says so, and writes until it is killed. A second argument is the option CheckpointPages.
// With it, the process also writes an object whose size changes, so that pages are added and freed.
using Stout;
using Stout.Sqlite;
using Stout.Storage;

var isVaried = args.Length > 1;
var options = new SqliteOptions { Path = args[0] };
if (isVaried)
    options.CheckpointPages = int.Parse(args[1], System.Globalization.CultureInfo.InvariantCulture);
await using var storage = new SqliteStorage(options);
try
{
    var partition = (await storage.OpenAsync())[0];
    Console.WriteLine("open");
    async Task<ReadOutcome> ReadAsync(string key)
    {
        var read = new ReadBatch();
        read.Add(new KeyRead(new PartitionKey(key)));
        await partition.ReadAsync(read, CancellationToken.None);
        return read.OutcomeOf(0);
    }

    async Task<Stamp> VersionAsync(string key) => (await ReadAsync(key)).Version;
    async Task<long> CounterAsync() => (await ReadAsync("counter")).Parts is [{ } part, ..] ? BitConverter.ToInt64(part.Value.Span) : 0;
    var writer = Guid.NewGuid();
    var stamp = await VersionAsync("counter");
    var varied = await VersionAsync("varied");
    var first = await CounterAsync();
    var batch = new WriteBatch();
    for (var i = first + 1; ; i++)
    {
        var next = new Stamp(0, writer, i);
        batch.Clear();
        var part = new PartWrite(SubKey.Root, IsDeleted: false, BitConverter.GetBytes(i));
        batch.Add(new KeyWrite(new PartitionKey("counter"), KeyWriteKind.Merge, stamp, null, next), [part]);
        if (isVaried)
            batch.Add(new KeyWrite(new PartitionKey("varied"), KeyWriteKind.Replace, varied, null, next), [part with { Value = new byte[i * 977 % 20_000] }]);
        await partition.WriteAsync(batch, CancellationToken.None);
        if (batch.OutcomeOf(0).Kind != WriteOutcomeKind.Committed)
            throw batch.OutcomeOf(0).Error!;
        (stamp, varied) = (next, isVaried ? next : varied);
        Console.Write($"{i}\n");
    }
}
catch (StoreException error)
{
    Console.WriteLine(error.Kind);
    return 1;
}
