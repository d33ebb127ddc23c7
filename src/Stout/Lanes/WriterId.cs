using System.Security.Cryptography;

namespace Stout.Lanes;

/// <summary>Ids of lane instances.</summary>
internal static class WriterId
{
    /// <summary>128 random bits: <see cref="Guid.NewGuid"/> has only 122.</summary>
    public static Guid New()
    {
        Span<byte> bits = stackalloc byte[16];
        RandomNumberGenerator.Fill(bits);
        return new Guid(bits);
    }
}
