using Orleans.Concurrency;
using Orleans.Storage;
using OrleansDocuments.Hosting;
using Stout.Orleans;

namespace OrleansDocuments.Grains;

/// <summary>A document in memory. While a reply waits for the store, further calls run, and their changes share the next write.</summary>
[Reentrant]
[GrainType("document")]
public sealed class DocumentGrain(
    [StoutState("sections", SiloHosting.Storage)] IStoutState<Section> sections,
    [StoutState("journey", SiloHosting.Storage)] IStoutState<Journey> journey,
    ILocalSiloDetails silo,
    SiloOptions options) : Grain, IDocumentGrain
{
    private string Here => silo.SiloAddress.Endpoint.ToString();

    private Journey Journey => (journey.Value ?? new Journey()).To(Here);

    public async Task<string?> ReadAsync(string section)
    {
        var text = sections.GetPart(PartName.Of(section))?.Text;
        await ConfirmAsync();
        return text;
    }

    public Task WriteAsync(string section, string text)
    {
        sections.Set(new Section { Text = text }, PartName.Of(section));
        NoteSilo();
        return Task.CompletedTask;
    }

    public async Task<bool> RemoveAsync(string section)
    {
        if (!sections.Remove(PartName.Of(section)))
        {
            await ConfirmAsync();
            return false;
        }

        if (sections.Parts.Count == 0)
            Clear(); // a document without sections does not exist
        else
            NoteSilo();
        return true;
    }

    public async Task<List<(string Name, string Text)>> SelectAsync(string prefix)
    {
        List<(string Name, string Text)> selected =
        [
            .. sections.Parts.Select(part => (Name: PartName.SectionOf(part), sections.GetPart(part)!.Text))
                .Where(section => section.Name.StartsWith(prefix, StringComparison.Ordinal))
                .OrderBy(section => section.Name, StringComparer.Ordinal),
        ];
        await ConfirmAsync();
        return selected;
    }

    public async Task<bool> DeleteAsync()
    {
        if (sections.Parts.Count == 0)
        {
            await ConfirmAsync();
            return false;
        }

        Clear();
        return true;
    }

    public async Task<GrainPlace> LocateAsync()
    {
        var place = new GrainPlace(Here, sections.Epoch, Journey.Moves, Journey.Fencings);
        await ConfirmAsync();
        return place;
    }

    public Task NoteFencingAsync()
    {
        if (sections.Parts.Count > 0)
            journey.Set(Journey with { Fencings = Journey.Fencings + 1 });
        return Task.CompletedTask;
    }

    /// <summary>Has the next activation count the fencing of this one, since a fenced activation can't write.</summary>
    public override async Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken)
    {
        if (IsFenced())
            await GrainFactory.GetGrain<IDocumentGrain>(this.GetPrimaryKeyString()).NoteFencingAsync();
    }

    private bool IsFenced()
    {
        try
        {
            _ = (sections.Epoch, journey.Epoch);
            return false;
        }
        catch (InconsistentStateException error)
        {
            return error is not GrainStateOutcomeUnknownException;
        }
        catch (GrainStateException)
        {
            return false;
        }
    }

    /// <summary>
    /// Has the store confirm, if the options say so, that this activation owns the document. Otherwise the reply of a call without changes depends on
    /// memory alone.
    /// </summary>
    private ValueTask ConfirmAsync() => options.ConfirmReads ? sections.ConfirmAsync() : ValueTask.CompletedTask;

    private void NoteSilo()
    {
        if (journey.Value?.Silo != Here)
            journey.Set(Journey);
    }

    private void Clear()
    {
        sections.Clear();
        journey.Clear();
    }
}
