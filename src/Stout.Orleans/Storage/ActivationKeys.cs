using Orleans.Runtime;
using Stout.Orleans.HandOver;

namespace Stout.Orleans.Storage;

/// <summary>
/// The keys of one activation, of all providers. They are closed after the grain's own deactivation, and are handed over when the grain migrates.
/// </summary>
internal sealed class ActivationKeys : ILifecycleObserver, IGrainMigrationParticipant
{
    private const string MigrationKey = "stout.keys";

    // The first stage stops last: there, a grain that leaves a stopping silo waits for its turn, with closed keys.
    public const int CloseStage = GrainLifecycleStage.First + 1;

    private readonly HandOverFormat? _format;

    private readonly Lock _lock = new();
    private readonly List<(string Provider, IStateKey Key, KeyStore Store)> _keys = [];
    private HandedOverKey[] _handedOver = [];

    /// <param name="format">The form of the hand-over; null without one.</param>
    private ActivationKeys(HandOverFormat? format) => _format = format;

    /// <summary>Whether no key has a change whose outcome is unknown.</summary>
    public bool IsSettled
    {
        get
        {
            lock (_lock)
                return _keys.TrueForAll(static entry => entry.Key.IsSettled);
        }
    }

    /// <summary>The size of the states, in bytes.</summary>
    public long Bytes
    {
        get
        {
            lock (_lock)
                return _keys.Sum(static entry => entry.Key.Bytes);
        }
    }

    /// <summary>
    /// Has the activation close its keys when it is deactivated, and hand them over when the grain migrates. Called before the activation starts.
    /// </summary>
    public static void Configure(IGrainContext context, HandOverFormat format)
    {
        var keys = new ActivationKeys(format);
        context.SetComponent(keys);
        // The stage stops after all other participants have saved their states.
        context.ObservableLifecycle.Subscribe(nameof(ActivationKeys), CloseStage, keys);
        context.ObservableLifecycle.AddMigrationParticipant(keys);
    }

    /// <summary>
    /// The keys of an activation. If <see cref="Configure"/> was not called for the activation, its keys are closed after it has ended, and are not handed
    /// over in a migration.
    /// </summary>
    public static ActivationKeys Of(IGrainContext context)
    {
        if (context.GetComponent<ActivationKeys>() is { } known)
            return known;
        var keys = new ActivationKeys(format: null);
        context.SetComponent(keys);
        _ = keys.CloseAfterAsync(context.Deactivated);
        return keys;
    }

    /// <summary>The key of a provider's state, if the activation has used it.</summary>
    public IStateKey? Find(string provider, string stateName)
    {
        lock (_lock)
        {
            foreach (var (owner, key, _) in _keys)
            {
                if (owner == provider && key.StateName == stateName)
                    return key;
            }
        }

        return null;
    }

    /// <summary>Adds a key that the activation closes at its end.</summary>
    /// <returns>The key, or the one that another call has added before.</returns>
    public IStateKey Add(string provider, string stateName, KeyStore store, Func<IStateKey> make)
    {
        lock (_lock)
        {
            if (Find(provider, stateName) is { } known)
                return known;
            var key = make();
            _keys.Add((provider, key, store));
            return key;
        }
    }

    /// <summary>The position of a state's key that the former activation has handed over; null if it has handed over no such key.</summary>
    public KeyPosition? PositionOf(string provider, string stateName) =>
        Array.Find(_handedOver, key => key.Provider == provider && key.StateName == stateName)?.ToPosition();

    /// <inheritdoc/>
    public Task OnStart(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task OnStop(CancellationToken cancellationToken) => CloseAsync(cancellationToken);

    /// <inheritdoc/>
    public void OnDehydrate(IDehydrationContext dehydrationContext)
    {
        HandedOverKey[] keys;
        lock (_lock)
        {
            // A key that this activation has not used is still at the position that the former activation handed over.
            keys = [
                .. _keys.Select(entry => HandedOverKey.Of(entry.Provider, entry.Key.StateName, entry.Key.Position)).OfType<HandedOverKey>(),
                .. _handedOver.Where(key => Find(key.Provider, key.StateName) is null)];
        }

        _format!.Write(dehydrationContext);
        if (keys.Length > 0)
            dehydrationContext.TryAddValue(MigrationKey, keys);
    }

    /// <inheritdoc/>
    public void OnRehydrate(IRehydrationContext rehydrationContext)
    {
        if (_format!.IsThatOf(rehydrationContext) && rehydrationContext.TryGetValue<HandedOverKey[]>(MigrationKey, out var keys))
            _handedOver = keys;
    }

    private async Task CloseAfterAsync(Task deactivated)
    {
        await deactivated.ConfigureAwait(false);
        await CloseAsync(CancellationToken.None).ConfigureAwait(false);
    }

    private Task CloseAsync(CancellationToken cancellationToken)
    {
        lock (_lock)
            return Task.WhenAll(_keys.Select(entry => entry.Store.CloseInTimeAsync(entry.Key.CloseAsync(), cancellationToken)));
    }
}
