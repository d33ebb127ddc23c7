using System.Globalization;
using System.Net;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Durability;

/// <summary>Clients that each write growing numbers to their own section, and remember the last acknowledged one.</summary>
internal sealed class Writers(int count, int documents)
{
    /// <summary>The length of a text. It keeps the store busy, so that kills come while batches are in flight.</summary>
    private const int TextLength = 8 * 1024;

    private readonly long[] _sent = new long[count];
    private readonly long[] _acknowledged = new long[count];
    private long _acknowledgements;

    public long Acknowledgements => Interlocked.Read(ref _acknowledgements);

    /// <summary>
    /// Writes until <paramref name="acknowledgements"/> more writes are acknowledged, and then kills the service while writes are under way. Returns when all
    /// writers have noticed the kill.
    /// </summary>
    public async Task WriteUntilKilledAsync(RunningService service, long acknowledgements, Action kill)
    {
        var target = Acknowledgements + acknowledgements;
        await Task.WhenAll(Enumerable.Range(0, count).Select(writer => WriteAsync(writer, service, target, kill)));
    }

    /// <summary>
    /// Sections that are older than their last acknowledgement, and sections that were never sent; empty if there are no such sections.
    /// </summary>
    public async Task<List<string>> FindLossesAsync(RunningService service)
    {
        var losses = new List<string>();
        for (var writer = 0; writer < count; writer++)
        {
            var (document, section) = PlaceOf(writer);
            using var answer = await service.Http.GetAsync(RunningService.PathOf(document, section), TestContext.Current.CancellationToken);
            var text = answer.StatusCode == HttpStatusCode.NotFound ? null : await answer.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
            var stored = text is null ? 0 : long.Parse(text.AsSpan(0, text.IndexOf(' ', StringComparison.Ordinal)), CultureInfo.InvariantCulture);
            if (stored < _acknowledged[writer] || stored > _sent[writer] || (text is not null && text != TextOf(stored)))
                losses.Add($"{document}/{section} holds {stored}; {_acknowledged[writer]} was acknowledged, {_sent[writer]} sent last");
        }

        return losses;
    }

    private async Task WriteAsync(int writer, RunningService service, long target, Action kill)
    {
        var (document, section) = PlaceOf(writer);
        while (true)
        {
            var number = ++_sent[writer];
            try
            {
                using var answer = await service.PutAsync(document, section, TextOf(number));
                if (answer.StatusCode != HttpStatusCode.NoContent)
                    throw new InvalidOperationException($"The service answered {(int)answer.StatusCode}.");
            }
            catch (HttpRequestException)
            {
                return;
            }

            _acknowledged[writer] = number;
            if (Interlocked.Increment(ref _acknowledgements) == target)
                kill();
        }
    }

    private static string TextOf(long number) => $"{number} ".PadRight(TextLength, (char)('a' + (number % 26)));

    private (string Document, string Section) PlaceOf(int writer) => ($"document {writer % documents}", $"section {writer}");
}
