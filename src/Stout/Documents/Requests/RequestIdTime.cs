using System.Buffers.Binary;

namespace Stout.Documents;

/// <summary>The times inside ids of requests. A UUID of version 7 begins with 48 bits of milliseconds since 1970, so ids are ordered by time.</summary>
internal static class RequestIdTime
{
    private const int Version = 7;
    private const int BitsBelow = 16;

    /// <summary>Whether an id is a UUID of version 7 in the variant of RFC 9562.</summary>
    public static bool IsValid(Guid id) => id.Version == Version && id.Variant is >= 0x8 and <= 0xB;

    /// <summary>The milliseconds since 1970 at which the client made the id.</summary>
    public static long MillisecondsOf(Guid id)
    {
        Span<byte> bytes = stackalloc byte[16];
        id.TryWriteBytes(bytes, bigEndian: true, out _);
        return (long)(BinaryPrimitives.ReadUInt64BigEndian(bytes) >> BitsBelow);
    }

    /// <exception cref="InvalidRequestIdException">The id has no time, or one that is farther ahead than the bounds allow.</exception>
    public static void Check(Guid id, DateTimeOffset now, RequestBounds bounds)
    {
        if (!IsValid(id))
            throw new InvalidRequestIdException("The request's id is not a UUID of version 7, as Guid.CreateVersion7 makes them.");
        if (MillisecondsOf(id) - now.ToUnixTimeMilliseconds() > bounds.MaxClockSkew.TotalMilliseconds)
            throw new InvalidRequestIdException("The time in the request's id is ahead of the server's clock.");
    }
}
