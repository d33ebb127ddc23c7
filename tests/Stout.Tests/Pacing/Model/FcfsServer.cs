namespace Stout.Tests.Pacing.Model;

/// <summary>One server, first come first served. Requests must be given in the order in which they come.</summary>
internal sealed class FcfsServer
{
    private TimeSpan _freeAt;

    /// <summary>Returns the time at which a request that comes at <paramref name="arrival"/> is done.</summary>
    public TimeSpan Serve(TimeSpan arrival, TimeSpan service)
    {
        _freeAt = (arrival > _freeAt ? arrival : _freeAt) + service;
        return _freeAt;
    }
}
