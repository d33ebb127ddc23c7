namespace Stout.Orleans.Facet;

/// <summary>A state on which replies wait.</summary>
internal interface IStateFacet
{
    /// <summary>Completes when a reply that rests on the state may leave.</summary>
    ValueTask MayReplyAsync();
}
