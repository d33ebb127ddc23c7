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

    /// <summary>Bytes of objects in memory (in their serialized form) from which on clean idle ones are evicted. 1 or more. Default: 512 MiB.</summary>
    [AtLeast(1)]
    public long MaxCachedBytes { get; set; } = 512L << 20;

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
    internal void ValidateCache() => InvalidOptionException.ThrowIfInvalid(new DocumentStoreOptionsValidator(), this);
}

[OptionsValidator]
internal sealed partial class DocumentStoreOptionsValidator : IValidateOptions<DocumentStoreOptions>;
