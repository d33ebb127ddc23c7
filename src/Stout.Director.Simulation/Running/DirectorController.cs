using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Recordings;
using Stout.Director.Simulation.Clusters;

namespace Stout.Director.Simulation.Running;

/// <summary>A Director as the controller of a simulated cluster.</summary>
public sealed class DirectorController : IController
{
    private readonly DirectorRunner _runner;

    /// <summary>Starts a Director.</summary>
    /// <param name="settings">The Director's settings.</param>
    /// <param name="cluster">The cluster.</param>
    /// <param name="now">The virtual time since the beginning of the warm-up.</param>
    /// <param name="recorder">Receives the Director's inputs; null records nothing.</param>
    public DirectorController(DirectorSettings settings, SimulatedCluster cluster, TimeSpan now, IDirectorRecorder? recorder = null)
    {
        Period = settings.Policy.Period;
        _runner = new DirectorRunner(new DirectorCore(settings), cluster, new MemoryIntents(), recorder);
        Wait(_runner.StartAsync(now));
    }

    /// <inheritdoc/>
    public TimeSpan Period { get; }

    /// <inheritdoc/>
    public Decision? Plan(TimeSpan now) => Wait(_runner.PlanAsync(now));

    /// <inheritdoc/>
    public void Advance(TimeSpan now) => Wait(_runner.AdvanceAsync(now));

    // The tasks are already completed, since a simulated cluster answers at once.
    private static void Wait(ValueTask task) => task.AsTask().GetAwaiter().GetResult();

    private static T Wait<T>(ValueTask<T> task) => task.IsCompletedSuccessfully ? task.Result : task.AsTask().GetAwaiter().GetResult();

    private sealed class MemoryIntents : IIntentStore
    {
        private IReadOnlyList<DirectorAction> _actions = [];

        public ValueTask WriteAsync(long epoch, IReadOnlyList<DirectorAction> actions, CancellationToken cancellationToken)
        {
            _actions = actions;
            return ValueTask.CompletedTask;
        }

        public ValueTask<IReadOnlyList<DirectorAction>> ReadAsync(long epoch, CancellationToken cancellationToken) => ValueTask.FromResult(_actions);
    }
}
