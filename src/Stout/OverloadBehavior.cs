namespace Stout;

/// <summary>The treatment of callers beyond the load bounds.</summary>
public enum OverloadBehavior
{
    /// <summary>
    /// Callers wait for room, up to <see cref="StoutOptions.UnreachableTimeout"/>; then they fail with <see cref="OverloadException"/>.
    /// </summary>
    Wait,

    /// <summary>Callers fail at once with <see cref="OverloadException"/>.</summary>
    Fail,
}
