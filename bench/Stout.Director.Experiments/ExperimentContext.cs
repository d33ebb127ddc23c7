namespace Stout.Director.Experiments;

/// <summary>An experiment's input: the settings, and a pool for its simulations.</summary>
internal sealed class ExperimentContext(ExperimentSettings settings, WorkPool pool)
{
    public ExperimentSettings Settings => settings;

    public CancellationToken CancellationToken => pool.CancellationToken;

    /// <summary>One of two values, by the effort of the run.</summary>
    public T Pick<T>(T full, T brief) => settings.Effort == Effort.Full ? full : brief;

    public Task<T> RunAsync<T>(Func<T> work) => pool.RunAsync(work);
}
