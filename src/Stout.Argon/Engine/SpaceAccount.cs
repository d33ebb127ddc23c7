using System.Security.Cryptography;
using System.Text;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Engine;

/// <summary>The disk space of all objects that one service created, on all disks. The server's lock guards it.</summary>
internal sealed class SpaceAccount
{
    /// <summary>The bytes of the objects' files, and those that allocations at the device may take.</summary>
    public long Used { get; set; }

    /// <summary>The most bytes; null for no limit.</summary>
    public long? Quota { get; set; }

    public long Room => Quota is { } quota ? Math.Max(0, quota - Used) : long.MaxValue;

    /// <summary>The key of a service's account. Files have it in their headers, so it does not depend on the name's length.</summary>
    public static UInt128 KeyOf(string service) => System.Buffers.Binary.BinaryPrimitives.ReadUInt128LittleEndian(SHA256.HashData(Encoding.UTF8.GetBytes(service)));

    /// <exception cref="QuotaExceededException">The account has too little room.</exception>
    public void Claim(long bytes)
    {
        if (bytes > Room)
            throw new QuotaExceededException(Quota!.Value);
        Used += bytes;
    }
}
