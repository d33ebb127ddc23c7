using System.Net;
using System.Net.Http.Json;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.Time.Testing;
using Stout.Documents;
using Stout.Storage;
using Stout.Testing;

namespace Stout.AspNetCore.Tests;

/// <summary>The code of docs/testing-your-service.md, with tests of the service that docs/getting-started.md builds.</summary>
public static class TestingPage
{
    #region memory
    public sealed class CounterTests
    {
        [Fact]
        public async Task Count_outlives_a_restart()
        {
            await using var data = new InMemoryStore();
            await using (var store = await DocumentStore.OpenAsync(data.Connect()))
                await store.GetCollection<Counter>("counters").UpdateAsync("1", counter => new Counter((counter?.Value ?? 0) + 1));

            await using var again = await DocumentStore.OpenAsync(data.Connect());
            Assert.Equal(new Counter(1), await again.GetCollection<Counter>("counters").GetAsync("1"));
        }

        private sealed record Counter(int Value);
    }
    #endregion

    #region web
    public sealed class BoardTests : IAsyncDisposable
    {
        private readonly FaultyStore _store = new(new InMemoryStore());
        private readonly FakeTimeProvider _time = new();
        private readonly WebApplicationFactory<Program> _service;

        public BoardTests() => _service = new WebApplicationFactory<Program>().WithWebHostBuilder(host => host.ConfigureTestServices(services => services
            .ReplaceStoutStore(_ => _store)
            .AddSingleton<TimeProvider>(_time)));

        public ValueTask DisposeAsync() => _service.DisposeAsync();

        [Fact]
        public async Task Note_is_answered_when_it_is_durable()
        {
            using var client = _service.CreateClient();
            using var hold = _store.Hold(requests: HeldRequests.Writes);
            var answer = client.PutAsJsonAsync("/notes/1", new { Text = "Milk" });
            await hold.WaitUntilHeldAsync();
            Assert.False(answer.IsCompleted);

            hold.Release();
            Assert.Equal(HttpStatusCode.OK, (await answer).StatusCode);
        }
        #endregion

        #region time
        [Fact]
        public async Task Outage_is_answered_with_503_in_the_end()
        {
            using var client = _service.CreateClient();
            _store.Kill();
            var answer = client.PutAsJsonAsync("/notes/1", new { Text = "Milk" });
            while (!answer.IsCompleted)
            {
                _time.Advance(TimeSpan.FromSeconds(1)); // 30 s pass within milliseconds.
                await Task.Yield();
            }

            Assert.Equal(HttpStatusCode.ServiceUnavailable, (await answer).StatusCode);
        }
        #endregion

        #region fault
        [Fact]
        public async Task Refused_note_is_a_fault_of_the_service_and_not_of_its_client()
        {
            using var client = _service.CreateClient();
            _store.FailNext(StoreFault.None); // The read of the note.
            _store.FailNext(StoreFault.Refused);
            var answer = await client.PutAsJsonAsync("/notes/1", new { Text = "Milk" });
            Assert.Equal(HttpStatusCode.InternalServerError, answer.StatusCode);
            Assert.Equal(HttpStatusCode.NotFound, (await client.GetAsync("/notes/1")).StatusCode);
        }
        #endregion
    }
}
