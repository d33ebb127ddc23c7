using System.Globalization;
using System.Text.Json;

namespace Stout.Director.Tool.Importing;

/// <summary>Asks a Prometheus server for ranges.</summary>
internal sealed class PrometheusServer(Uri address, IReadOnlyList<KeyValuePair<string, string>> headers) : IDisposable
{
    // Prometheus answers at most 11,000 samples of a series at once; fewer keep its answers small.
    private const int MostSteps = 2_000;
    private const long MostBytes = 1L << 30;
    private const int MostErrorBytes = 4_096;

    // The longest time for one answer, its transfer included. Prometheus itself gives up after 2 min by default.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    private readonly HttpClient _http = new() { Timeout = Timeout.InfiniteTimeSpan };

    /// <summary>Asks for a query's values at the end of each step.</summary>
    /// <exception cref="ImportException">The server can't be reached, refuses, or has no data.</exception>
    public async Task<SeriesSet> AskAsync(string query, Grid grid, CancellationToken cancellationToken)
    {
        var set = new SeriesSet(query, grid);
        for (var first = 0; first < grid.Steps; first += MostSteps)
        {
            var count = Math.Min(MostSteps, grid.Steps - first);
            var start = grid.Start + (first + 1) * grid.Step;
            await AskAsync(set, query, start, start + (count - 1) * grid.Step, grid.Step, cancellationToken).ConfigureAwait(false);
        }

        return set.All.Count > 0 ? set : throw AnswerReader.Empty(query);
    }

    public void Dispose() => _http.Dispose();

    // The answer is kept in a file first, so that the memory for it is bounded and the transfer can be canceled.
    private async Task AskAsync(SeriesSet set, string query, double start, double end, double step, CancellationToken cancellationToken)
    {
        var place = $"{address} {query}";
        using var timeout = new CancellationTokenSource(Patience, TimeProvider.System);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        var path = Path.GetTempFileName();
        try
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(Root(address), "api/v1/query_range?" + Parameters(query, start, end, step)));
            foreach (var (name, value) in headers)
                request.Headers.TryAddWithoutValidation(name, value);
            using var response = await _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, either.Token).ConfigureAwait(false);
            using var body = await response.Content.ReadAsStreamAsync(either.Token).ConfigureAwait(false);
            if (!response.IsSuccessStatusCode)
                throw new ImportException(place, await ErrorAsync(response, body, either.Token).ConfigureAwait(false));
            using (var file = File.Create(path))
                await CopyAsync(body, file, place, either.Token).ConfigureAwait(false);
            using var answer = File.OpenRead(path);
            AnswerReader.ReadInto(set, answer, place, areCounters: false);
        }
        catch (HttpRequestException error)
        {
            throw new ImportException(place, "the server can't be reached: " + error.Message, error);
        }
        catch (OperationCanceledException error) when (!cancellationToken.IsCancellationRequested)
        {
            throw new ImportException(place, $"no whole answer within {Patience.TotalMinutes} min. Ask for a shorter time or a longer step.", error);
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static Uri Root(Uri address) => address.AbsoluteUri.EndsWith('/') ? address : new Uri(address.AbsoluteUri + "/");

    private static string Parameters(string query, double start, double end, double step) => FormattableString.Invariant(
        $"query={Uri.EscapeDataString(query)}&start={start:0.###}&end={end:0.###}&step={step:0.###}");

    private static async Task CopyAsync(Stream from, Stream to, string place, CancellationToken cancellationToken)
    {
        var buffer = new byte[1 << 16];
        long copied = 0;
        for (int read; (read = await from.ReadAsync(buffer, cancellationToken).ConfigureAwait(false)) > 0;)
        {
            if ((copied += read) > MostBytes)
                throw new ImportException(place, $"an answer of more than {MostBytes >> 20} MB. Ask for fewer labels.");
            await to.WriteAsync(buffer.AsMemory(0, read), cancellationToken).ConfigureAwait(false);
        }
    }

    // Prometheus explains a refused query in a JSON object; a proxy before it may answer anything.
    private static async Task<string> ErrorAsync(HttpResponseMessage response, Stream body, CancellationToken cancellationToken)
    {
        var buffer = new byte[MostErrorBytes];
        var read = await body.ReadAtLeastAsync(buffer, buffer.Length, throwOnEndOfStream: false, cancellationToken).ConfigureAwait(false);
        var status = ((int)response.StatusCode).ToString(CultureInfo.InvariantCulture);
        try
        {
            using var document = JsonDocument.Parse(buffer.AsMemory(0, read));
            if (document.RootElement.ValueKind == JsonValueKind.Object && document.RootElement.TryGetProperty("error", out var error) && error.ValueKind == JsonValueKind.String)
                return $"status {status}: {error.GetString()}";
        }
        catch (JsonException)
        {
            // Not Prometheus' own answer: the status alone is told.
        }

        return $"status {status} {response.ReasonPhrase}, not an answer of Prometheus.";
    }
}
