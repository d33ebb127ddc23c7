namespace Stout;

/// <summary>Whether callers wait or fail while the load exceeds the bounds of <see cref="StoutOptions"/>.</summary>
public enum OverloadBehavior
{
    /// <summary>
    /// Callers wait for room, up to <see cref="StoutOptions.UnreachableTimeout"/>; then they fail with <see cref="OverloadException"/>.
    /// </summary>
    Wait,

    /// <summary>Callers fail at once with <see cref="OverloadException"/>.</summary>
    Fail,
}
