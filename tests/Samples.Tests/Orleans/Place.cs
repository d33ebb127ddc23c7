using System.Net.Http.Json;
using SectionedDocuments.Tests.Processes;

namespace Samples.Tests.Orleans;

/// <summary>The service's answer about the place of a document's grain.</summary>
internal sealed record Place(string Silo, long Epoch, int Moves, int Fencings, string AskedSilo, string? Dashboard)
{
    public static async Task<Place> OfAsync(RunningService silo, string document) =>
        (await silo.Http.GetFromJsonAsync<Place>($"grains/{Uri.EscapeDataString(document)}", TestContext.Current.CancellationToken))!;
}
