namespace Stout;

/// <summary>Stout is stopping or has been stopped, and accepts no more work. Nothing was changed.</summary>
public sealed class StoppedException : StoutException
{
    /// <summary>Creates the exception.</summary>
    public StoppedException()
        : base("Stout is stopping or has been stopped, and takes no more work.")
    {
    }
}
