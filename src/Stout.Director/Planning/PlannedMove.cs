using Stout.Director.Actions;
using Stout.Director.Decisions;

namespace Stout.Director.Planning;

/// <summary>One bin's planned move, or its copy as a further replica.</summary>
internal readonly record struct PlannedMove(int Bin, PlannedServer From, PlannedServer To, Reason Reason, ActionKind Kind = ActionKind.Move);
