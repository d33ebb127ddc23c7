namespace Stout.Storage;

/// <summary>What a write does to the parts of its key that it does not name.</summary>
public enum KeyWriteKind
{
    /// <summary>They stay.</summary>
    Merge,

    /// <summary>They go: the write begins a new generation, which has the named parts alone.</summary>
    Replace,

    /// <summary>Everything goes: the header is written as deleted. Names no parts.</summary>
    Delete,
}
