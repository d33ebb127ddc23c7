using System.Globalization;
using Stout;
using Stout.Documents;

namespace ReplicaUnderTest;

/// <summary>Registers and counters in collections that retry on conflict: any replica may change any of them.</summary>
/// <param name="documents">The store.</param>
/// <param name="clock">The replica's clock.</param>
/// <param name="skew">The largest difference between the replicas' clocks if values expire (<see cref="ExpiringValue"/>); null if they do not.</param>
/// <param name="bug">The planted bug.</param>
internal sealed class Registers(DocumentStore documents, ReplicaClock clock, TimeSpan? skew, PlantedBug bug)
{
    private readonly DocumentCollection<string> _registers = documents.GetCollection<string>("registers", skew is { } most ? Expiring(OptionsFor(bug), most, bug) : OptionsFor(bug));
    private readonly DocumentCollection<string> _counters = documents.GetCollection<string>("counters", OptionsFor(bug));

    public async Task<Answer> AnswerAsync(Request request)
    {
        var window = clock.Begin();
        var answer = await TryAsync(request);
        clock.End(window);
        return answer with { Least = window.Least, Greatest = window.Greatest };
    }

    private async Task<Answer> TryAsync(Request request)
    {
        while (true)
        {
            try
            {
                return new Answer(request.Id, Outcome.Done, await RunAsync(request));
            }
            catch (Refusal refusal)
            {
                return new Answer(request.Id, Outcome.Done, refusal.Seen);
            }
            catch (OutcomeUnknownException) when (bug == PlantedBug.RepeatsUnknown)
            {
            }
            catch (OutcomeUnknownException error)
            {
                return new Answer(request.Id, Outcome.Unknown, Error: error.Message);
            }
            catch (StoutException error) when (
                error is NotAppliedException or ConflictException or HandleClosedException or FillFailedException or OverloadException or StoppedException)
            {
                return new Answer(request.Id, Outcome.NotDone, Error: error.Message);
            }
            catch (Exception error)
            {
                return new Answer(request.Id, Outcome.Fault, Error: error.ToString());
            }
        }
    }

    private async ValueTask<string?> RunAsync(Request request) => request.Kind switch
    {
        RequestKind.SetClock => SetClock(request),
        RequestKind.Read when request.Id % 2 == 0 => await _registers.GetAsync(request.Key),
        RequestKind.Read => await _registers.ReadAsync(request.Key, view => view[""]),
        RequestKind.Write or RequestKind.Change => await _registers.ChangeAsync(request.Key, editor => Change(editor, request)),
        RequestKind.Add => await _counters.UpdateAsync(request.Key, text => (Number(text) + 1).ToString(CultureInfo.InvariantCulture)),
        _ => await _counters.GetAsync(request.Key),
    };

    private string? SetClock(Request request)
    {
        clock.Set(new TimeSpan(Number(request.Value)));
        return null;
    }

    private static string? Change(DocumentEditor<string> editor, Request request)
    {
        var seen = editor[""];
        if (request.Kind == RequestKind.Change && seen != request.Expected)
            return request.Throws ? throw new Refusal(seen) : seen;
        if (request.Value is null)
            editor.Delete();
        else
            editor.Set("", request.Value);
        return seen;
    }

    private static long Number(string? text) => text is null ? 0 : long.Parse(text, CultureInfo.InvariantCulture);

    private static CollectionOptions<string> OptionsFor(PlantedBug bug) => new()
    {
        OnConflict = OnConflict.Retry,
        Freshness = bug == PlantedBug.ReadsMemory ? Freshness.Memory : Freshness.Store,
    };

    private static CollectionOptions<string> Expiring(CollectionOptions<string> options, TimeSpan skew, PlantedBug bug) => options with
    {
        ExpiresAt = static value => ExpiringValue.ExpiryOf(value) is var at && at == ExpiringValue.Never ? null : new DateTimeOffset(at, TimeSpan.Zero),
        MaxClockSkew = bug == PlantedBug.SweepIgnoresSkew ? TimeSpan.Zero : skew,
        SweepInterval = TimeSpan.FromSeconds(1),
    };

    /// <summary>A reply by exception. It contains the value that the function saw, and waits for durability as any reply does.</summary>
    private sealed class Refusal(string? seen) : Exception
    {
        public string? Seen => seen;
    }
}
