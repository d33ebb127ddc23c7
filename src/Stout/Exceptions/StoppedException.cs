namespace Stout;

/// <summary>Stout is stopping or has been stopped, and takes no more work. Nothing was changed.</summary>
public sealed class StoppedException : StoutException
{
    /// <summary>Reports a call that came after stopping had begun.</summary>
    public StoppedException()
        : base("Stout is stopping or has been stopped, and takes no more work.")
    {
    }
}
