using System.Text.Json;
using System.Text.Json.Serialization;

namespace Stout.Documents.Tests.Requests;

/// <summary>The ids of applied requests: done, not done, or unknown beyond the bounds.</summary>
public sealed class AppliedRequestsTests
{
    private static readonly DateTimeOffset Now = new(2030, 1, 2, 3, 4, 5, TimeSpan.Zero);

    private static readonly RequestBounds Few = new() { MaxCount = 3, MaxAge = TimeSpan.FromHours(1), MaxClockSkew = TimeSpan.FromMinutes(1) };

    [Fact]
    public void Added_request_is_done_and_another_is_not()
    {
        var (first, second) = (At(0), At(0));
        var requests = default(AppliedRequests).Add(first, Now);
        Assert.Equal(RequestState.Done, requests.Find(first, Now));
        Assert.Equal(RequestState.NotDone, requests.Find(second, Now));
        Assert.Equal(RequestState.NotDone, default(AppliedRequests).Find(first, Now));
    }

    [Fact]
    public void Request_that_the_number_removed_is_unknown_and_so_is_each_older_one()
    {
        var ids = Enumerable.Range(0, 5).Select(static i => At(i)).ToList();
        var requests = ids.Aggregate(default(AppliedRequests), static (requests, id) => requests.Add(id, Now.AddSeconds(9), Few));
        Assert.Equal(3, requests.Count);
        Assert.Equal("Unknown, Unknown, Done, Done, Done", string.Join(", ", ids.Select(id => requests.Find(id, Now.AddSeconds(9), Few))));
        Assert.Equal(RequestState.Unknown, requests.Find(At(0.5), Now.AddSeconds(9), Few));
        Assert.Equal(RequestState.NotDone, requests.Find(At(1.5), Now.AddSeconds(9), Few));
    }

    [Fact]
    public void Request_that_the_age_removed_is_unknown_for_any_clock()
    {
        var old = At(0);
        var requests = default(AppliedRequests).Add(old, Now, Few).Add(At(7200), Now.AddHours(2), Few);
        Assert.Equal(1, requests.Count);
        Assert.Equal(RequestState.Unknown, requests.Find(old, Now.AddHours(2), Few));
        Assert.Equal(RequestState.Unknown, requests.Find(old, Now, Few)); // A clock behind.
    }

    [Fact]
    public void Old_request_is_unknown_even_for_an_empty_set() =>
        Assert.Equal(RequestState.Unknown, default(AppliedRequests).Find(At(-3601), Now, Few));

    [Fact]
    public void Old_request_that_is_remembered_is_done()
    {
        var old = At(0);
        Assert.Equal(RequestState.Done, default(AppliedRequests).Add(old, Now, Few).Find(old, Now.AddDays(3), Few));
    }

    [Fact]
    public void Latecomer_is_remembered_in_place_of_the_oldest_other()
    {
        var requests = Enumerable.Range(1, 3).Aggregate(default(AppliedRequests), static (requests, i) => requests.Add(At(i), Now.AddSeconds(9), Few));
        var late = At(0);
        requests = requests.Add(late, Now.AddSeconds(9), Few);
        Assert.Equal(RequestState.Done, requests.Find(late, Now.AddSeconds(9), Few));
        Assert.Equal(3, requests.Count);
    }

    [Theory]
    [InlineData(RequestState.Done)]
    [InlineData(RequestState.Unknown)]
    public void Request_that_is_done_or_unknown_can_not_be_added(RequestState state)
    {
        var id = At(state == RequestState.Unknown ? -7200 : 0);
        var requests = state == RequestState.Done ? default(AppliedRequests).Add(id, Now, Few) : default;
        Assert.Equal(state, requests.Find(id, Now, Few));
        Assert.Throws<InvalidOperationException>(() => requests.Add(id, Now, Few));
    }

    [Fact]
    public void Id_without_a_time_or_ahead_of_the_clock_is_refused()
    {
        foreach (var id in (Guid[])[Guid.NewGuid(), Guid.Empty, Guid.AllBitsSet, At(61)])
        {
            Assert.Throws<InvalidRequestIdException>(() => default(AppliedRequests).Find(id, Now, Few));
            Assert.Throws<InvalidRequestIdException>(() => default(AppliedRequests).Add(id, Now, Few));
        }

        Assert.Equal(RequestState.NotDone, default(AppliedRequests).Find(At(60), Now, Few));
    }

    [Theory]
    [InlineData(0, 1, 0)]
    [InlineData(10_001, 1, 0)]
    [InlineData(1, 0, 0)]
    [InlineData(1, 1, -1)]
    public void Bounds_have_ranges(int count, int age, int skew) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new RequestBounds { MaxCount = count, MaxAge = TimeSpan.FromTicks(age), MaxClockSkew = TimeSpan.FromTicks(skew) });

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Applied_request_is_never_not_done_with_any_order_of_ids_and_any_clock(int seed)
    {
        var random = new Random(seed);
        var applied = new HashSet<Guid>();
        var known = new List<Guid>();
        var requests = default(AppliedRequests);
        for (var step = 0; step < 5_000; step++)
        {
            // The server's clock jumps, the clients' clocks differ, and their requests come late.
            var now = Now.AddSeconds(step + (random.Next(100) == 0 ? random.Next(-8_000, 8_000) : 0));
            var id = known.Count > 0 && random.Next(2) == 0 ? known[^random.Next(1, Math.Min(known.Count, 10) + 1)] : Guid.CreateVersion7(Now.AddSeconds(step - random.Next(-10, 10)));
            known.Add(id);
            try
            {
                var state = requests.Find(id, now, Few);
                Assert.True(state != RequestState.Done || applied.Contains(id));
                Assert.True(state != RequestState.NotDone || !applied.Contains(id));
                if (state == RequestState.NotDone)
                    (requests, _) = (requests.Add(id, now, Few), applied.Add(id));
            }
            catch (InvalidRequestIdException)
            {
                continue; // Its client's clock was ahead.
            }

            Assert.InRange(requests.Count, 1, Few.MaxCount);
            if (random.Next(10) == 0)
                requests = JsonSerializer.Deserialize<AppliedRequests>(JsonSerializer.Serialize(requests));
        }

        Assert.True(applied.Count > 500);
    }

    [Fact]
    public void Json_is_one_short_text_that_comes_back_equal()
    {
        var requests = default(AppliedRequests);
        Assert.Equal("\"\"", JsonSerializer.Serialize(requests));
        for (var i = 0; i < 200; i++)
        {
            requests = requests.Add(At(i / 100.0), Now.AddMinutes(1));
            var json = JsonSerializer.Serialize(requests);
            Assert.InRange(json.Length, 1, 22 * (requests.Count + 1) + 4);
            var copy = JsonSerializer.Deserialize<AppliedRequests>(json);
            Assert.True(copy == requests && copy.GetHashCode() == requests.GetHashCode() && !(copy != requests));
        }

        Assert.Equal(128, requests.Count);
    }

    [Theory]
    [InlineData("null")]
    [InlineData("1")]
    [InlineData("\"?\"")]
    [InlineData("\"AAAA\"")]
    [InlineData("\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"")]
    public void Invalid_json_is_refused(string json) => Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<AppliedRequests>(json));

    [Fact]
    public void Ids_out_of_order_are_refused()
    {
        var bytes = new byte[48];
        At(2).TryWriteBytes(bytes.AsSpan(16), bigEndian: true, out _);
        At(1).TryWriteBytes(bytes.AsSpan(32), bigEndian: true, out _);
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<AppliedRequests>($"\"{Convert.ToBase64String(bytes)}\""));
    }

    [Fact]
    public void Object_stored_without_the_property_gets_the_empty_set_and_objects_with_it_are_kept()
    {
        Assert.Equal(new Order(2, default), JsonSerializer.Deserialize<Order>("""{"Articles":2}"""));
        Assert.True(new JsonPartSerializer<Order>().ValuesAreImmutable);
    }

    [Fact]
    public void Generated_contract_keeps_the_set()
    {
        var order = new GeneratedOrder(1, default(AppliedRequests).Add(At(0), Now));
        var serializer = new JsonPartSerializer<GeneratedOrder>(GeneratedOrderJson.Default.GeneratedOrder, valuesAreImmutable: true);
        Assert.Equal(order, serializer.Deserialize(serializer.Serialize(order)));
    }

    private static Guid At(double seconds) => Guid.CreateVersion7(Now.AddSeconds(seconds));

    private sealed record Order(int Articles, AppliedRequests Requests);
}

internal sealed record GeneratedOrder(int Articles, AppliedRequests Requests);

[JsonSerializable(typeof(GeneratedOrder))]
internal sealed partial class GeneratedOrderJson : JsonSerializerContext;
