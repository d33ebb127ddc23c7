using System.Collections.Concurrent;
using Microsoft.Extensions.Options;
using Orleans.Runtime;

namespace Stout.Orleans.HandOver;

/// <summary>The activations that this silo hands over when it stops.</summary>
internal sealed class HandOverMembers(IOptions<StoutHandOverOptions> options)
{
    /// <summary>Bounds the grains on their way. They take no calls meanwhile, and wait for one another: Orleans sends them together.</summary>
    public const int MostGrains = 20;

    /// <summary>Bounds the states on their way. Orleans refuses messages above 100 MB, which 50 large states would exceed.</summary>
    public const long MostBytes = 4 << 20;

    private readonly ConcurrentDictionary<GrainId, HandOverMember> _members = new();

    public StoutHandOverOptions Options { get; } = options.Value.Copy();

    /// <summary>The gate of activations that leave; null until the silo stops.</summary>
    public HandOverGate? Gate { get; private set; }

    public ICollection<HandOverMember> All => _members.Values;

    public void Add(HandOverMember member) => _members[member.Context.GrainId] = member;

    public void Remove(HandOverMember member) => _members.TryRemove(new(member.Context.GrainId, member));

    /// <summary>Whether an activation that ends has a state whose last write is not known to be durable.</summary>
    public bool MustStay(GrainId grainId) => _members.TryGetValue(grainId, out var member) && member.MustStay;

    public void BeginToLeave() => Gate = new HandOverGate(MostGrains, MostBytes);
}
