namespace Stout.Lanes.Shell;

/// <summary>A message that takes notice of its release on the lane's loop, before its caller continues.</summary>
internal interface IReleasable
{
    /// <summary>
    /// Reports that the key's changes are durable, or failed as <see cref="Core.Message.Failure"/> says. The method runs on the lane's loop, so it must not block,
    /// throw or run application code.
    /// </summary>
    /// <returns>The caller's continuation, for the thread pool.</returns>
    IThreadPoolWorkItem Released(KeyHandle handle);
}
