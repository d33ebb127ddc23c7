using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Hosting.Tests;

/// <summary>A value that an option's attributes refuse causes one error. The error contains the option's path and rule, but not the value.</summary>
public sealed partial class InvalidOptionTests
{
    [Fact]
    public void Range_names_both_ends() => Refused("Count", "it must be between 1 and 9", new() { Count = 12 });

    [Fact]
    public void Range_of_times_names_both_ends() => Refused("Time", "it must be between 00:00:01 and 00:01:00", new() { Time = TimeSpan.Zero });

    [Fact]
    public void Option_without_an_upper_limit_names_the_lower_one() => Refused("Bytes", "it must be 1 or more", new() { Bytes = 0 });

    [Fact]
    public void Missing_option_is_required() => Refused("Name", "it is required", new() { Name = " " });

    [Fact]
    public void Option_of_an_option_has_a_path() => Refused("Inner:Share", "it must be between 0 and 1", new() { Inner = { Share = double.NaN } });

    [Fact]
    public void Option_of_an_element_has_its_number() => Refused("Many:1:Share", "it must be between 0 and 1", new() { Many = [new(), new() { Share = 2 }] });

    [Fact]
    public void Message_of_an_attribute_is_kept() => Refused("Color", "it must be red", new() { Color = "blue" });

    [Fact]
    public void Options_in_range_pass() => InvalidOptionException.ThrowIfInvalid(new OuterValidator(), new OuterOptions());

    private static void Refused(string option, string allowed, OuterOptions options)
    {
        var error = Assert.Throws<InvalidOptionException>(() => InvalidOptionException.ThrowIfInvalid(new OuterValidator(), options));
        Assert.Equal((option, allowed), (error.Option, error.Allowed));
        Assert.Equal($"The option {option} is invalid: {allowed}.", error.Message);
    }

    internal sealed class OuterOptions
    {
        [Range(1, 9)]
        public int Count { get; set; } = 1;

        [TimeRange("00:00:01", "00:01:00")]
        public TimeSpan Time { get; set; } = TimeSpan.FromSeconds(1);

        [AtLeast(1)]
        public long Bytes { get; set; } = long.MaxValue;

        [Required]
        public string Name { get; set; } = "a";

        [RegularExpression("red", ErrorMessage = "it must be red.")]
        public string Color { get; set; } = "red";

        [ValidateObjectMembers(typeof(InnerValidator))]
        public InnerOptions Inner { get; set; } = new();

        [ValidateEnumeratedItems(typeof(InnerValidator))]
        public IList<InnerOptions> Many { get; set; } = [];
    }

    internal sealed class InnerOptions
    {
        [Range(0.0, 1.0)]
        public double Share { get; set; }
    }

    [OptionsValidator]
    internal sealed partial class OuterValidator : IValidateOptions<OuterOptions>;

    [OptionsValidator]
    internal sealed partial class InnerValidator : IValidateOptions<InnerOptions>;
}
