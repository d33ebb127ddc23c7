using System.ComponentModel;
using System.Text.Json.Serialization;

namespace GameState;

/// <summary>A part of a player: a change of one part writes no other.</summary>
[ImmutableObject(true)]
[JsonDerivedType(typeof(Position), "position")]
[JsonDerivedType(typeof(Stack), "stack")]
internal abstract record PlayerPart;

/// <summary>The place on the map.</summary>
internal sealed record Position(int X, int Y) : PlayerPart
{
    public static readonly Position Start = new(0, 0);
}

/// <summary>Things of one kind in the bag.</summary>
internal sealed record Stack(int Count) : PlayerPart;
