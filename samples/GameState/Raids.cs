using Stout.Documents;

namespace GameState;

/// <summary>A number that goes up or down.</summary>
internal sealed record Tally(long Value);

/// <summary>A player and the damage that it has done.</summary>
internal sealed record Score(string Player, long Damage);

/// <summary>The state of a raid.</summary>
/// <param name="Health">The monster's remaining health.</param>
/// <param name="Attackers">How many players have hit it.</param>
/// <param name="Top">The players that have done most damage.</param>
internal sealed record RaidBoard(long Health, int Attackers, IReadOnlyList<Score> Top);

/// <summary>
/// Raids: hot objects that thousands of players change at the same time. An attack writes two parts of a raid: its health and the player's damage.
/// Attacks that come while the store works on a batch collapse into the next write.
/// </summary>
internal static class Raids
{
    private const string Health = "health";
    private const string Damage = "damage/";
    private const int TopScores = 5;

    /// <summary>Begins a raid, in place of an older one of the same name.</summary>
    public static async ValueTask BeginAsync(this DocumentCollection<Tally> raids, string id, long health, CancellationToken cancellationToken) =>
        await raids.ChangeAsync(
            id,
            health,
            static (raid, health) =>
            {
                raid.Delete();
                raid.Set(Health, new Tally(health));
                return true;
            },
            cancellationToken);

    /// <summary>The monster's health after the attack; null if there is no such raid, or it is over.</summary>
    public static ValueTask<long?> AttackAsync(
        this DocumentCollection<Tally> raids, string id, string player, long damage, CancellationToken cancellationToken) => raids.ChangeAsync(
            id,
            (part: Damage + player, damage),
            static (raid, attack) =>
            {
                if (raid[Health] is not { Value: > 0 } health)
                    return null;
                var done = Math.Min(attack.damage, health.Value);
                raid.Set(Health, new Tally(health.Value - done));
                raid.Set(attack.part, new Tally((raid[attack.part]?.Value ?? 0) + done));
                return (long?)(health.Value - done);
            },
            cancellationToken);

    public static ValueTask<RaidBoard?> ShowAsync(this DocumentCollection<Tally> raids, string id, CancellationToken cancellationToken) =>
        raids.ReadAsync(
            id,
            static raid =>
            {
                if (raid[Health] is not { } health)
                    return null;
                var attackers = raid.NamesWithPrefix(Damage);
                var top = attackers.Select(name => new Score(name[Damage.Length..], raid[name]!.Value))
                    .OrderByDescending(score => score.Damage).ThenBy(score => score.Player, StringComparer.Ordinal).Take(TopScores);
                return new RaidBoard(health.Value, attackers.Count, [.. top]);
            },
            cancellationToken);
}
