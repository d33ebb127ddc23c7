using System.Diagnostics.Metrics;
using Stout.Benchmarks.Throughput;
using Stout.Diagnostics;

namespace Stout.Benchmarks.Grains;

/// <summary>The cell that compares two kinds of reads of a state in Stout's facet: from memory, and confirmed by the store.</summary>
internal static class ConfirmedCell
{
    private const int Callers = 64;
    private const string Memory = "memory reads";
    private const string Confirmed = "confirmed reads";

    public static async Task RunAsync(Comparison comparison, ComparedSilos silos, Figures figures, string cell)
    {
        figures.Begin(cell, $"reads of {StorageCells.Grains:N0} grains through the facet, {Callers} callers");
        await silos.Stout.BeginAsync<FacetAccountGrain>(StorageCells.Grains);
        await silos.Stout.BeginAsync<ConfirmedAccountGrain>(StorageCells.Grains);
        var requests = 0L;
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == StoutTelemetry.MeterName && instrument.Name == StoutTelemetry.Instruments.RequestDuration)
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<double>((_, _, _, _) => Interlocked.Increment(ref requests));
        listener.Start();

        var variants = comparison.Anew();
        variants.Add(Memory, time => silos.Stout.CallAsync<FacetAccountGrain>(StorageCells.Grains, Callers, time, static grain => grain.ReadAsync()));
        List<double> perThousand = [];
        variants.Add(Confirmed, async time =>
        {
            var before = Interlocked.Read(ref requests);
            var reads = await silos.Stout.CallAsync<ConfirmedAccountGrain>(StorageCells.Grains, Callers, time, static grain => grain.ReadAsync());
            perThousand.Add((Interlocked.Read(ref requests) - before) * 1_000.0 / reads);
            return reads;
        });
        var turns = await variants.MeasureAsync();
        foreach (var (name, each) in turns)
            StorageCells.Add(figures, name, each);
        StorageCells.AddRates(figures, turns, Confirmed, Memory, null);
        figures.Add(Confirmed, "store requests per 1,000 reads", perThousand.Skip(1));
    }
}
