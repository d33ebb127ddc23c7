using System.Globalization;
using System.Text;
using System.Text.Json;
using ReplicaUnderTest;
using Stout;
using Stout.Documents;
using Stout.PostgreSql;
using Stout.Storage;
using Stout.Tests.Shared;

// One of several replicas that write the same objects without owners. Requests are lines on standard input, and answers are lines on standard output.
// The end of the input stops the replica. Settings are in the environment:
//   REPLICA_STORE    the connection string
//   REPLICA_SCHEMA   the schema
//   REPLICA_BUG      a planted bug (see PlantedBug); without it the replica is correct
//   REPLICA_SKEW     if the registers' values expire: the largest difference between the replicas' clocks, in ticks
//   REPLICA_CLOCK    the first offset of this replica's clock from the machine's, in ticks
var bug = Enum.Parse<PlantedBug>(Environment.GetEnvironmentVariable("REPLICA_BUG") ?? nameof(PlantedBug.None));
var clock = new ReplicaClock(bug == PlantedBug.LateClock ? TimeSpan.FromMilliseconds(100) : TimeSpan.Zero);
clock.Set(Ticks("REPLICA_CLOCK") ?? TimeSpan.Zero);
// The limits are short, so that a kill of the server leaves some outcomes unknown and some changes unsent.
var options = new DocumentStoreOptions
{
    Stout = new StoutOptions { ResolveUnknownFor = TimeSpan.FromSeconds(1), UnreachableTimeout = TimeSpan.FromSeconds(2) },
};
var requests = new List<Task>();
using var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { AutoFlush = true };
using var input = new StreamReader(Console.OpenStandardInput());
await using (var documents = await OpenAsync())
{
    var registers = new Registers(documents, clock, Ticks("REPLICA_SKEW"), bug);
    output.WriteLine("ready");
    while (input.ReadLine() is { } line)
    {
        var request = JsonSerializer.Deserialize(line, ProtocolJson.Default.Request)!;
        requests.RemoveAll(answered => answered.IsCompletedSuccessfully);
        requests.Add(Task.Run(() => AnswerAsync(registers, request)));
    }
}

await Task.WhenAll(requests);

// Tries again if a connection is cut while the replica starts.
async Task<DocumentStore> OpenAsync()
{
    for (var attempt = 1; ; attempt++)
    {
        try
        {
            return await DocumentStore.OpenAsync(Connect(), options, clock);
        }
        catch (StoreException error) when (error.Kind is StoreErrorKind.Unreachable or StoreErrorKind.Unknown && attempt < 100)
        {
        }
    }
}

IStorageProxy Connect()
{
    var store = new PostgreSqlStorage(new PostgreSqlOptions
    {
        ConnectionStrings = [Environment.GetEnvironmentVariable("REPLICA_STORE")!],
        Schema = Environment.GetEnvironmentVariable("REPLICA_SCHEMA")!,
    });
    return bug switch
    {
        PlantedBug.AnswersEarly => new WrappedStorage(store, partition => new EarlyAnsweringPartition(partition)),
        PlantedBug.SweepIgnoresStamp => new WrappedStorage(store, partition => new OvertakenDeletions(partition)),
        _ => store,
    };
}

static TimeSpan? Ticks(string name) =>
    Environment.GetEnvironmentVariable(name) is { Length: > 0 } text ? new TimeSpan(long.Parse(text, CultureInfo.InvariantCulture)) : null;

async Task AnswerAsync(Registers registers, Request request)
{
    var answer = JsonSerializer.Serialize(await registers.AnswerAsync(request), ProtocolJson.Default.Answer);
    lock (output)
        output.WriteLine(answer);
}
