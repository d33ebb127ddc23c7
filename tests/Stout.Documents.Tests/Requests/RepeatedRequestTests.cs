using Documentation.Examples;
using Microsoft.Extensions.Time.Testing;
using Stout.Documents.Tests.Schedules;
using Stout.Pacing;
using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Lanes.Schedules;

namespace Stout.Documents.Tests.Requests;

/// <summary>
/// The recipe of docs/repeated-requests.md for repeated requests: four clients change one object through two replicas, whose stores lose, refuse, repeat and
/// delay requests.
/// </summary>
/// <remarks>Runs alone, since time advances only when the thread pool is idle.</remarks>
[Collection(nameof(Alone))]
public sealed class RepeatedRequestTests(ITestOutputHelper output)
{
    private static readonly int Schedules = ScheduleThread.SchedulesOr(150);

    [Fact]
    public async Task Every_request_is_applied_at_most_once_and_each_answer_stays_true()
    {
        var counts = new Dictionary<string, int>();
        var violation = await ScheduleThread.RunAsync(Schedules, counts, static (seed, activity) => new Run(seed).ToEnd(activity));
        Assert.True(violation is null, violation);
        output.WriteLine(string.Join(", ", counts.OrderBy(static count => count.Key).Select(static count => $"{count.Key} {count.Value}")));
        string[] reached = ["Done", "NotDone", "Unknown", "repeated Done", "repeated Unknown", "late Done", "found Done", "found NotDone"];
        Assert.All(reached, what => Assert.True(counts.GetValueOrDefault(what) > Schedules / 50, $"{what}: {counts.GetValueOrDefault(what)}"));
    }

    /// <summary>One schedule.</summary>
    private sealed class Run(int seed)
    {
        private const int Clients = 4;
        private const int RequestsOfClient = 6;
        private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(20);

        private readonly Lock _lock = new();
        private readonly FakeTimeProvider _time = new(new DateTimeOffset(2030, 1, 1, 0, 0, 0, TimeSpan.Zero));
        private readonly HashSet<string> _done = [];
        private readonly HashSet<string> _notDone = [];
        private readonly Dictionary<string, int> _counts = [];

        public Dictionary<string, int> ToEnd(ThreadPoolActivity activity)
        {
            var all = Task.Run(RunAsync);
            for (var turn = 0; !all.IsCompleted; turn++)
            {
                activity.WaitUntilQuiet();
                if (turn > 100_000)
                    throw new ScheduleViolation("a call does not end");
                _time.Advance(Step);
            }

            all.GetAwaiter().GetResult();
            return _counts;
        }

        private static FaultyStoreOptions Faults(int seed) => new()
        {
            Seed = seed,
            MaxLatency = TimeSpan.FromMilliseconds(60),
            Requests = new FaultRates { LostAnswer = 0.12, LostRequest = 0.08, Late = 0.12, Repeated = 0.1, Refused = 0.05, Overloaded = 0.05 },
        };

        private async Task RunAsync()
        {
            await using var data = new InMemoryStore();
            var faulty = Enumerable.Range(0, 2).Select(replica => new FaultyStore(data.Connect(), Faults(2 * seed + replica), _time)).ToArray();
            var documents = new List<DocumentStore>();
            foreach (var store in faulty)
            {
                documents.Add(await DocumentStore.OpenAsync(store, new DocumentStoreOptions
                {
                    Stout = new StoutOptions { Pacing = PacingLaws.NoBatching(), ResolveUnknownFor = TimeSpan.FromMilliseconds(100), UnreachableTimeout = TimeSpan.FromSeconds(1) },
                }, _time));
            }

            var orders = documents.Select(static store => store.GetCollection("orders", new CollectionOptions<RepeatedRequestsPage.Order> { OnConflict = OnConflict.Retry })).ToArray();
            await Task.WhenAll(Enumerable.Range(0, Clients).Select(client => ServeAsync(client, orders)));
            foreach (var store in faulty)
                store.Options = new FaultyStoreOptions();
            foreach (var store in documents)
                await store.DisposeAsync();

            await using var reader = await DocumentStore.OpenAsync(data.Connect(), timeProvider: _time);
            var articles = (await reader.GetCollection<RepeatedRequestsPage.Order>("orders").GetAsync("1"))?.Articles ?? [];
            Check(articles.Distinct().Count() == articles.Count, "a request was applied twice");
            Check(_done.IsSubsetOf(articles), "a request that was done is lost");
            Check(!_notDone.Overlaps(articles), "a request that was not done has an effect");
        }

        private async Task ServeAsync(int client, DocumentCollection<RepeatedRequestsPage.Order>[] orders)
        {
            var random = new Random(seed * Clients + client);
            var earlier = new List<(string Article, Guid Id)>();
            for (var i = 0; i < RequestsOfClient; i++)
            {
                await Task.Delay(TimeSpan.FromMilliseconds(random.Next(200)), _time);
                var request = (Article: $"{client}-{i}", Id: Guid.CreateVersion7(_time.GetUtcNow()));
                var state = await AskAsync(request, attempts: random.Next(1, 4));
                Count(state.ToString());
                Remember(state, request.Article);
                if (state == RequestState.NotDone)
                    continue;
                earlier.Add(request);
                await LookAsync(earlier[random.Next(earlier.Count)]);
                // A client may repeat a request long after it was answered, and after other clients' requests.
                var repeated = earlier[random.Next(earlier.Count)];
                var (was, now) = (IsDone(repeated.Article), await AskAsync(repeated, attempts: 2));
                Count((was ? "late " : "repeated ") + now);
                Remember(now == RequestState.NotDone ? RequestState.Unknown : now, repeated.Article);
            }

            Task<RequestState> AskAsync((string Article, Guid Id) request, int attempts) =>
                RepeatedRequestsPage.RepeatAsync(() => RepeatedRequestsPage.AddAsync(orders[random.Next(orders.Length)], "1", request.Article, request.Id, _time), attempts);

            async Task LookAsync((string Article, Guid Id) request)
            {
                var wasDone = IsDone(request.Article);
                try
                {
                    var found = await RepeatedRequestsPage.FindAsync(orders[random.Next(orders.Length)], "1", request.Id, _time);
                    Count("found " + found);
                    Check(!wasDone || found == RequestState.Done, $"a request that was done is found {found}");
                    Remember(found == RequestState.NotDone ? RequestState.Unknown : found, request.Article);
                }
                catch (StoutException)
                {
                    // The store's fault is this look's answer.
                }
            }
        }

        private bool IsDone(string article)
        {
            lock (_lock)
                return _done.Contains(article);
        }

        private void Remember(RequestState state, string article)
        {
            lock (_lock)
                _ = state switch { RequestState.Done => _done.Add(article), RequestState.NotDone => _notDone.Add(article), _ => false };
        }

        private void Count(string what)
        {
            lock (_lock)
                _counts[what] = _counts.GetValueOrDefault(what) + 1;
        }

        private static void Check(bool holds, string violation)
        {
            if (!holds)
                throw new ScheduleViolation(violation);
        }
    }
}
