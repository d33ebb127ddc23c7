using System.Security.Cryptography;

namespace Stout.Storage;

/// <summary>Generates the ids of lane instances.</summary>
internal static class WriterId
{
    /// <summary>Returns 128 random bits; <see cref="Guid.NewGuid"/> has only 122.</summary>
    public static Guid New()
    {
        Span<byte> bits = stackalloc byte[16];
        RandomNumberGenerator.Fill(bits);
        return new Guid(bits);
    }
}
