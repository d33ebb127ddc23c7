using Stout.Tests;

namespace Stout.Argon.Tests.Configuration;

/// <summary>A server copies its options: a setting that changes afterwards has no effect.</summary>
public sealed class OptionsCopyTests
{
    public static TheoryData<Type> Types => [.. KeptOptions.TypesOf(typeof(ArgonOptions).Assembly)];

    [Theory]
    [MemberData(nameof(Types))]
    public void Copy_of_options_has_every_setting_and_no_object_that_can_change(Type type)
    {
        var options = KeptOptions.Filled(type);

        var copy = KeptOptions.CopyOf(options);

        Assert.Empty(KeptOptions.Differences(options, copy));
        Assert.Empty(KeptOptions.KeptBy(copy, options));
    }

    [Fact]
    public void Options_that_change_after_a_server_has_opened_have_no_effect()
    {
        var folder = Directory.CreateTempSubdirectory("stout-options-");
        try
        {
            var options = new ArgonOptions { Disks = [new ArgonDiskOptions { Folder = folder.FullName, AllowBuffered = true, Cost = new(TimeSpan.FromMilliseconds(1), 1e6) }] };

            using var server = ArgonServer.Open(options);

            Assert.Empty(KeptOptions.KeptBy(server, options));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Theory]
    [MemberData(nameof(Types))]
    public void No_options_show_a_secret_by_ToString(Type type)
    {
        const string Secret = "s3cr3t";
        var options = Activator.CreateInstance(type)!;
        foreach (var text in type.GetProperties().Where(static property => property.PropertyType == typeof(string) && property.SetMethod is { IsPublic: true }))
            text.SetValue(options, Secret);

        Assert.DoesNotContain(Secret, options.ToString(), StringComparison.Ordinal);
    }
}
