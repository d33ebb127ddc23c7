using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Documents;

/// <summary>How a collection behaves where other processes write its objects too.</summary>
public sealed record CollectionOptions
{
    /// <summary>
    /// What a change does whose object another process has written since it was read. Default: <see cref="OnConflict.Fail"/>, since a key should have
    /// one owner.
    /// </summary>
    public OnConflict OnConflict { get; set; }

    /// <summary>
    /// What an answer that changes nothing may rest on. Default: null, which is <see cref="Freshness.Store"/> with <see cref="OnConflict.Retry"/>, else
    /// <see cref="Freshness.Memory"/>.
    /// </summary>
    public Freshness? Freshness { get; set; }

    /// <summary>With <see cref="OnConflict.Retry"/>: how many conflicts a call bears before it fails with <see cref="ConflictException"/>. 1 to 1,000; 50 by default.</summary>
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
