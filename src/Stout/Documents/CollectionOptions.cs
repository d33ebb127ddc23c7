using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Documents;

/// <summary>Options of a collection whose objects other processes write as well.</summary>
public sealed record CollectionOptions
{
    /// <summary>
    /// The reaction of a change whose object another process has written since it was read. Default: <see cref="OnConflict.Fail"/>, since a key
    /// should have one owner.
    /// </summary>
    public OnConflict OnConflict { get; set; }

    /// <summary>
    /// The source of answers that change nothing. Default: null, which means <see cref="Freshness.Store"/> with <see cref="OnConflict.Retry"/>, else
    /// <see cref="Freshness.Memory"/>.
    /// </summary>
    public Freshness? Freshness { get; set; }

    /// <summary>
    /// With <see cref="OnConflict.Retry"/>: the number of conflicts after which a call fails with <see cref="ConflictException"/>. 1 to 1,000; 50 by
    /// default.
    /// </summary>
    [Range(1, 1_000)]
    public int MaxConflicts { get; set; } = 50;

    internal Freshness EffectiveFreshness =>
        Freshness ?? (OnConflict == OnConflict.Retry ? Documents.Freshness.Store : Documents.Freshness.Memory);

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new CollectionOptionsValidator(), this);
        if (!Enum.IsDefined(OnConflict))
            throw new InvalidOptionException(nameof(OnConflict), $"it must be one of {string.Join(", ", Enum.GetNames<OnConflict>())}");
        if (Freshness is { } freshness && !Enum.IsDefined(freshness))
            throw new InvalidOptionException(nameof(Freshness), $"it must be one of {string.Join(", ", Enum.GetNames<Freshness>())}");
    }
}

[OptionsValidator]
internal sealed partial class CollectionOptionsValidator : IValidateOptions<CollectionOptions>;
