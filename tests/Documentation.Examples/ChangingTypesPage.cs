using System.Text.Json;
using System.Text.Json.Serialization;
using Stout.Documents;

namespace Documentation.Examples;

/// <summary>The code of docs/changing-types.md.</summary>
public static partial class ChangingTypesPage
{
    public sealed record Profile(int Version, string Name);

    public sealed record ProfileOfVersion1(string First, string Last);

    [JsonSerializable(typeof(Profile))]
    [JsonSerializable(typeof(ProfileOfVersion1))]
    public sealed partial class ProfileJson : JsonSerializerContext;

    #region versions
    /// <summary>Reads versions 1 and 2, and writes version 2.</summary>
    public sealed class ProfileSerializer : IPartSerializer<Profile>
    {
        public bool ValuesAreImmutable => true;

        public ReadOnlyMemory<byte> Serialize(Profile value) => JsonSerializer.SerializeToUtf8Bytes(value, ProfileJson.Default.Profile);

        public Profile Deserialize(ReadOnlyMemory<byte> bytes)
        {
            var profile = JsonSerializer.Deserialize(bytes.Span, ProfileJson.Default.Profile)!;
            if (profile.Version >= 2)
                return profile;
            var old = JsonSerializer.Deserialize(bytes.Span, ProfileJson.Default.ProfileOfVersion1)!;
            return new Profile(Version: 2, old.First + " " + old.Last);
        }
    }
    #endregion

    #region all
    public static async Task<int> RewriteAsync(DocumentCollection<Profile> profiles, CancellationToken cancellationToken)
    {
        var visited = 0;
        // Many at a time, so that they share batches.
        await Parallel.ForEachAsync(
            profiles.ListAsync(cancellationToken: cancellationToken),
            new ParallelOptions { MaxDegreeOfParallelism = 64, CancellationToken = cancellationToken },
            async (id, cancellation) =>
            {
                // Only bytes of an old version differ from the new ones, so only such objects are written.
                await profiles.UpdateAsync(id, static profile => profile, cancellation);
                Interlocked.Increment(ref visited);
            });
        return visited;
    }
    #endregion
}
