using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Documents;

/// <summary>The options of the typed layer.</summary>
public sealed record DocumentStoreOptions
{
    /// <summary>The base layer's options.</summary>
    [Required, ValidateObjectMembers(typeof(StoutOptionsValidator))]
    public StoutOptions Stout { get; set; } = new();

    /// <summary>
    /// The most objects in memory before clean idle ones are evicted. Requested objects that do not exist count too. 1 or more. Default: 100,000.
    /// </summary>
    [AtLeast(1)]
    public int MaxCachedObjects { get; set; } = 100_000;

    /// <summary>
    /// The most memory of objects, in bytes, before clean idle ones are evicted. The memory is estimated from values, names and overhead; for texts and
    /// bytes the estimate is right within a factor of 2. Other values count by their serialized size. Undurable changes are not included. 1 or more.
    /// Default: 512 MiB.
    /// </summary>
    [AtLeast(1)]
    public long MaxCachedBytes { get; set; } = 512L << 20;

    /// <summary>
    /// How often a change checks that its value can be deserialized without loss. A lossy change fails with <see cref="PartSerializationException"/>.
    /// Default: <see cref="RoundTripCheck.Never"/>; in a host whose environment is Development, <see cref="RoundTripCheck.OncePerShape"/>.
    /// </summary>
    public RoundTripCheck RoundTripCheck { get; set; } = RoundTripCheck.Never;

    /// <summary>Returns the type's name only, since a setting may be a secret.</summary>
    public override string ToString() => nameof(DocumentStoreOptions);

    internal DocumentStoreOptions Copy() => this with { Stout = Stout.Copy() };

    /// <summary>Validates every option, including the base layer's.</summary>
    /// <exception cref="InvalidOptionException">An option is out of its range. The message names the first one and its range.</exception>
    public void Validate()
    {
        ArgumentNullException.ThrowIfNull(Stout);
        Stout.Validate();
        ValidateCache();
    }

    /// <summary>Validates the options of this layer only.</summary>
    internal void ValidateCache()
    {
        InvalidOptionException.ThrowIfInvalid(new DocumentStoreOptionsValidator(), this);
        if (!Enum.IsDefined(RoundTripCheck))
            throw new InvalidOptionException(nameof(RoundTripCheck), $"it must be one of {string.Join(", ", Enum.GetNames<RoundTripCheck>())}");
    }
}

[OptionsValidator]
internal sealed partial class DocumentStoreOptionsValidator : IValidateOptions<DocumentStoreOptions>;
