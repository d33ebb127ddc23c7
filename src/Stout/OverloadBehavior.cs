namespace Stout;

/// <summary>What happens to callers when too much is undurable.</summary>
public enum OverloadBehavior
{
    /// <summary>They wait until there is room, for <see cref="StoutOptions.UnreachableTimeout"/>; then they fail with <see cref="OverloadException"/>.</summary>
    Wait,

    /// <summary>They fail at once with <see cref="OverloadException"/>.</summary>
    Fail,
}
