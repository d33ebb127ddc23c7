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

    /// <summary>Whether the outcome of all changes of all states is known.</summary>
    public bool IsSettled => _facets.TrueForAll(static facet => facet.IsSettled);

    /// <summary>The size of the states, in bytes.</summary>
    public long Bytes => _facets.Sum(static facet => facet.Bytes);

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

    private ValueTask AllMayReplyAsync(long[] before)
    {
        // All facets wait at the same time, so that their time limits do not add up.
        List<Task>? waits = null;
        for (var i = 0; i < before.Length; i++)
        {
            var wait = _facets[i].MayReplyAsync(before[i]);
            if (!wait.IsCompletedSuccessfully)
                (waits ??= []).Add(wait.AsTask());
        }

        return waits is null ? ValueTask.CompletedTask : new ValueTask(Task.WhenAll(waits));
    }
}
