using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Documents;

/// <summary>How the typed layer behaves.</summary>
public sealed record DocumentStoreOptions
{
    /// <summary>The base layer's options.</summary>
    [Required, ValidateObjectMembers(typeof(StoutOptionsValidator))]
    public StoutOptions Stout { get; set; } = new();

    /// <summary>
    /// Objects in memory from which on clean idle ones are evicted; those that do not exist count too, once they were asked for.
    /// 1 or more. Default: 100,000.
    /// </summary>
    [AtLeast(1)]
    public int MaxCachedObjects { get; set; } = 100_000;

    /// <summary>
    /// Memory that objects take, in bytes, from which on clean idle ones are evicted. It counts values, names and the objects around them,
    /// also of ids that do not exist; an estimate, within a factor of 2 where parts are texts or bytes. Other values count by their
    /// serialized size. Changes that are not durable yet come on top. 1 or more. Default: 512 MiB.
    /// </summary>
    [AtLeast(1)]
    public long MaxCachedBytes { get; set; } = 512L << 20;

    /// <summary>
    /// How often a change is checked for values that do not come back from their bytes as they were; such a change fails with
    /// <see cref="PartSerializationException"/>. Default: <see cref="RoundTripCheck.Never"/>, and in a host whose environment is Development
    /// <see cref="RoundTripCheck.OncePerShape"/>.
    /// </summary>
    public RoundTripCheck RoundTripCheck { get; set; } = RoundTripCheck.Never;

    /// <summary>The type's name alone: a setting may be a secret.</summary>
    public override string ToString() => nameof(DocumentStoreOptions);

    internal DocumentStoreOptions Copy() => this with { Stout = Stout.Copy() };

    /// <summary>Checks every option, the base layer's too.</summary>
    /// <exception cref="InvalidOptionException">Names the first option that is out of its range, and the range.</exception>
    public void Validate()
    {
        ArgumentNullException.ThrowIfNull(Stout);
        Stout.Validate();
        ValidateCache();
    }

    /// <summary>Checks the options of this layer alone.</summary>
    internal void ValidateCache()
    {
        InvalidOptionException.ThrowIfInvalid(new DocumentStoreOptionsValidator(), this);
        if (!Enum.IsDefined(RoundTripCheck))
            throw new InvalidOptionException(nameof(RoundTripCheck), $"it must be one of {string.Join(", ", Enum.GetNames<RoundTripCheck>())}");
    }
}

[OptionsValidator]
internal sealed partial class DocumentStoreOptionsValidator : IValidateOptions<DocumentStoreOptions>;
