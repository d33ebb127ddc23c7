using Orleans.Runtime;

namespace Stout.Orleans.Facet;

/// <summary>The facets of one activation.</summary>
internal sealed class StateFacets
{
    private readonly List<IStateFacet> _facets = [];

    public static void Add(IGrainContext context, IStateFacet facet)
    {
        if (context.GetComponent<StateFacets>() is not { } facets)
            context.SetComponent(facets = new StateFacets());
        facets._facets.Add(facet);
    }

    /// <summary>The number of the last change of each state.</summary>
    public long[] LastChanges()
    {
        var changes = new long[_facets.Count];
        for (var i = 0; i < changes.Length; i++)
            changes[i] = _facets[i].LastChange;
        return changes;
    }

    /// <summary>Completes when a reply of the activation may leave.</summary>
    /// <param name="before">The result of <see cref="LastChanges"/> before the call began.</param>
    public ValueTask MayReplyAsync(long[] before) => _facets.Count == 1 ? _facets[0].MayReplyAsync(before[0]) : AllMayReplyAsync(before);

    private async ValueTask AllMayReplyAsync(long[] before)
    {
        for (var i = 0; i < before.Length; i++)
            await _facets[i].MayReplyAsync(before[i]).ConfigureAwait(true);
    }
}
