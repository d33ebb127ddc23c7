using Stout.Lanes.Core;

namespace Stout.Lanes.Shell;

/// <summary>The part of a lane's client that runs tasks. It takes the client's inputs on the lane's loop, and makes the calls that the client asks for.</summary>
internal interface ILaneClientShell : IDisposable
{
    /// <summary>The client's decisions.</summary>
    ILaneClient Client { get; }

    /// <summary>Connects the client with its lane, which takes the answers of the calls.</summary>
    void Begin(ILaneIntake lane);

    /// <summary>Processes an input of the client, on the lane's loop.</summary>
    void Apply(in LaneInput input, TimeSpan now);

    /// <summary>Makes a call that the client has asked for (<see cref="LaneCore.Call"/>). It must not block.</summary>
    void Call(object subject);
}
