using System.Text.Json;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Service;

/// <summary>A build of the page's charts installs npm only with permission, and takes the packages in the lock files.</summary>
public sealed class PageRestoreTests : IDisposable
{
    private static readonly string[] Tools = ["cat", "dirname", "mkdir"];

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("", 0, false)] // the solution is built
    [InlineData("install", 1000, false)]
    [InlineData("install", 0, true)]
    public async Task Npm_is_installed_for_root_alone_and_only_where_the_sample_itself_is_built(string mode, int user, bool installs)
    {
        var commands = Directory.CreateDirectory(_folder.File("commands")).FullName;
        foreach (var tool in Tools)
            File.CreateSymbolicLink(Path.Combine(commands, tool), File.Exists("/usr/bin/" + tool) ? "/usr/bin/" + tool : "/bin/" + tool);
        Command("id", $"echo {user}");
        Command("apt-get", $"echo apt-get \"$@\" >>{_folder.File("calls")}");
        Command("sudo", $"echo sudo \"$@\" >>{_folder.File("calls")}");
        using var restore = RunningProgram.Start(
            _folder.Path, ["/usr/bin/env", "PATH=" + commands, "/bin/sh", Path.Combine(Page, "restore.sh"), _folder.File("page"), mode]);

        // The commands install nothing, so that npm stays missing.
        Assert.NotEqual(0, await restore.ExitAsync());
        var calls = File.Exists(_folder.File("calls")) ? await File.ReadAllTextAsync(_folder.File("calls"), TestContext.Current.CancellationToken) : "";
        Assert.Equal(installs, calls.Contains("apt-get", StringComparison.Ordinal));
        Assert.DoesNotContain("sudo", calls, StringComparison.Ordinal);
        await restore.LineAsync(installs ? "Installing npm by apt-get" : "npm is missing.");

        void Command(string name, string script)
        {
            File.WriteAllText(Path.Combine(commands, name), "#!/bin/sh\n" + script + "\n");
            if (!OperatingSystem.IsWindows())
                File.SetUnixFileMode(Path.Combine(commands, name), UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }

    [Fact]
    public void Lock_files_of_npm_name_every_package_by_its_content_and_no_registry()
    {
        string[] folders = [Page, .. Directory.EnumerateDirectories(Path.Combine(Programs.Repository, "tests", "servers", "node"))];
        Assert.Equal(3, folders.Length);
        foreach (var folder in folders)
        {
            using var lockFile = JsonDocument.Parse(File.ReadAllText(Path.Combine(folder, "package-lock.json")));
            foreach (var package in lockFile.RootElement.GetProperty("packages").EnumerateObject().Where(static package => package.Name.Length > 0))
            {
                Assert.StartsWith("sha512-", package.Value.GetProperty("integrity").GetString(), StringComparison.Ordinal);
                Assert.False(package.Value.TryGetProperty("resolved", out _), package.Name);
                Assert.False(package.Value.TryGetProperty("hasInstallScript", out _), package.Name);
            }
        }
    }

    private static string Page => Path.Combine(Programs.Repository, "samples", "SectionedDocuments", "Page");
}
