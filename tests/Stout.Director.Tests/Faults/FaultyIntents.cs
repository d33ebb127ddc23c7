using Stout.Director.Actions;

namespace Stout.Director.Tests.Faults;

/// <summary>A durable store of intents. The Director may crash before or after each write.</summary>
internal sealed class FaultyIntents(FaultDice dice, PlantedBug bug)
{
    private long _epoch;

    public IReadOnlyList<DirectorAction> Durable { get; private set; } = [];

    /// <summary>The connection of one Director.</summary>
    public IIntentStore Connect() => new Connection(this);

    private void Write(long epoch, IReadOnlyList<DirectorAction> actions)
    {
        if (epoch < _epoch)
            throw new FencedException(epoch);
        dice.MayCrash("intents, before");
        // The planted bug: the write is acknowledged, and lost.
        if (bug == PlantedBug.ActsBeforeTheIntentIsDurable)
            return;
        Durable = [.. actions];
        dice.MayCrash("intents, after");
    }

    private sealed class Connection(FaultyIntents store) : IIntentStore
    {
        public ValueTask WriteAsync(long epoch, IReadOnlyList<DirectorAction> actions, CancellationToken cancellationToken)
        {
            store.Write(epoch, actions);
            return ValueTask.CompletedTask;
        }

        public ValueTask<IReadOnlyList<DirectorAction>> ReadAsync(long epoch, CancellationToken cancellationToken)
        {
            store._epoch = Math.Max(store._epoch, epoch);
            return ValueTask.FromResult(store.Durable);
        }
    }
}
