using System.ComponentModel;
using System.Text.Json.Serialization;

namespace GameState;

/// <summary>A part of a player. A change of one part writes no other part.</summary>
[ImmutableObject(true)]
[JsonDerivedType(typeof(Position), "position")]
[JsonDerivedType(typeof(Stack), "stack")]
internal abstract record PlayerPart;

/// <summary>A player's place on the map.</summary>
internal sealed record Position(int X, int Y) : PlayerPart
{
    public static readonly Position Start = new(0, 0);
}

/// <summary>The number of things of one kind in a player's bag.</summary>
internal sealed record Stack(int Count) : PlayerPart;
