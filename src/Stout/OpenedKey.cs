using System.Diagnostics.CodeAnalysis;
using System.Diagnostics;
using Stout.Storage;

namespace Stout;

/// <summary>
/// A key that was opened, with what the store had: <see cref="Read"/>, <see cref="Absent"/> or <see cref="AlreadyOpen"/>. Only <see cref="Read"/> has parts,
/// so no caller takes a key that was not read for an absent one.
/// </summary>
[SuppressMessage("Design", "CA1034", Justification = "The nested types are the cases of this type.")]
[DebuggerDisplay("{GetType().Name,nq}: {Handle.Key}")]
public abstract class OpenedKey
{
    private OpenedKey(KeyHandle handle) => Handle = handle;

    /// <summary>The key's handle.</summary>
    public KeyHandle Handle { get; }

    /// <summary>The store has the key.</summary>
    public sealed class Read : OpenedKey
    {
        internal Read(KeyHandle handle, IReadOnlyList<StoredPart> parts)
            : base(handle) => Parts = parts;

        /// <summary>The parts as of the read, in no particular order. All callers that share the read share the bytes, which never change.</summary>
        public IReadOnlyList<StoredPart> Parts { get; }
    }

    /// <summary>The store does not have the key, or the caller has said so (<see cref="StoutClient.OpenAsAbsentAsync"/>).</summary>
    public sealed class Absent : OpenedKey
    {
        internal Absent(KeyHandle handle)
            : base(handle)
        {
        }
    }

    /// <summary>Nothing was read, which says nothing about the key's parts: the client had the key open already, for another caller.</summary>
    public sealed class AlreadyOpen : OpenedKey
    {
        internal AlreadyOpen(KeyHandle handle)
            : base(handle)
        {
        }
    }
}
