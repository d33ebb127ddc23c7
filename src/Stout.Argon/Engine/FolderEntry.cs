namespace Stout.Argon.Engine;

/// <summary>One name in a folder: the object that is open under it, and the turn of the calls that create, open, close or delete it.</summary>
internal sealed class FolderEntry
{
    /// <summary>Calls on one name take turns; calls on other names do not wait for them.</summary>
    public SemaphoreSlim Turn { get; } = new(1);

    /// <summary>The number of calls that have or await the turn.</summary>
    public int Calls { get; set; }

    /// <summary>The open object; null if it is not open.</summary>
    public ObjectState? Target { get; set; }

    /// <summary>The number of open handles on the object.</summary>
    public int Handles { get; set; }
}
