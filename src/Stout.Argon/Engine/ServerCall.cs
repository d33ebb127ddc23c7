namespace Stout.Argon.Engine;

/// <summary>A call of several requests, which keeps the server open until it ends.</summary>
internal readonly struct ServerCall(ArgonServer server) : IDisposable
{
    public void Dispose() => server.Leave();
}
