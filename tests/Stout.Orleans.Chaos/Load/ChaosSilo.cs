using Stout.Orleans.Chaos.Grains;
using Stout.Orleans.Chaos.Protocol;

namespace Stout.Orleans.Chaos.Load;

/// <summary>A place in a cluster for one silo. The silo may be killed, leave and come back.</summary>
internal abstract class ChaosSilo
{
    /// <summary>Raised when a silo has joined the cluster, and takes requests.</summary>
    public event Action? Joined;

    /// <summary>The silo's name.</summary>
    public abstract string Name { get; }

    /// <summary>Whether the silo takes requests.</summary>
    public abstract bool IsRunning { get; }

    /// <summary>Has a silo join the cluster.</summary>
    public abstract Task StartAsync();

    /// <summary>Ends the silo at once.</summary>
    public abstract Task KillAsync();

    /// <summary>Has the silo leave in order.</summary>
    /// <returns>The values that its grains saved at the end.</returns>
    public abstract Task<IReadOnlyList<EndSave>> LeaveAsync();

    /// <summary>Sends a request.</summary>
    /// <returns>The answer; null if the silo ended before its answer came.</returns>
    public abstract Task<SiloAnswer?> AskAsync(SiloRequest request);

    /// <summary>Cuts the silo's connections to its store, or lets them pass again.</summary>
    public abstract void Cut(bool isCut);

    /// <summary>Delays the silo's requests to its store.</summary>
    public abstract void Delay(TimeSpan delay);

    protected void NoteJoined() => Joined?.Invoke();
}
