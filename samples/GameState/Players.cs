using Stout.Documents;

namespace GameState;

/// <summary>All that a client sees of a player.</summary>
internal sealed record PlayerSheet(Position Position, IReadOnlyDictionary<string, int> Bag);

/// <summary>Players: 10,000 small objects, each with a part for its place and one for each kind of thing in its bag.</summary>
internal static class Players
{
    private const string Place = "position";
    private const string Bag = "bag/";

    /// <summary>Writes the player's place and nothing else.</summary>
    public static ValueTask<Position> MoveAsync(
        this DocumentCollection<PlayerPart> players, string id, int dx, int dy, CancellationToken cancellationToken) => players.ChangeAsync(
            id,
            (dx, dy),
            static (player, step) =>
            {
                var from = player[Place] as Position ?? Position.Start;
                var to = new Position(from.X + step.dx, from.Y + step.dy);
                player.Set(Place, to);
                return to;
            },
            cancellationToken);

    public static ValueTask<int> TakeAsync(
        this DocumentCollection<PlayerPart> players, string id, string thing, CancellationToken cancellationToken) => players.ChangeAsync(
            id,
            Bag + thing,
            static (player, part) =>
            {
                var count = ((player[part] as Stack)?.Count ?? 0) + 1;
                player.Set(part, new Stack(count));
                return count;
            },
            cancellationToken);

    /// <summary>All parts as of one moment; null if there is no such player.</summary>
    public static ValueTask<PlayerSheet?> ShowAsync(
        this DocumentCollection<PlayerPart> players, string id, CancellationToken cancellationToken) => players.ReadAsync(
            id,
            static player => player.Exists
                ? new PlayerSheet(
                    player[Place] as Position ?? Position.Start,
                    player.NamesWithPrefix(Bag).ToDictionary(name => name[Bag.Length..], name => ((Stack)player[name]!).Count))
                : null,
            cancellationToken);
}
