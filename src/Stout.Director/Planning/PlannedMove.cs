using Stout.Director.Decisions;

namespace Stout.Director.Planning;

/// <summary>One bin's planned move.</summary>
internal readonly record struct PlannedMove(int Bin, PlannedServer From, PlannedServer To, Reason Reason);
