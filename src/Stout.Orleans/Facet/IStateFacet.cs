namespace Stout.Orleans.Facet;

/// <summary>What a reply waits for.</summary>
internal interface IStateFacet
{
    /// <summary>Completes when a reply that rests on the state may leave.</summary>
    ValueTask MayReplyAsync();
}
