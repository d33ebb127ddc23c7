using System.Diagnostics;
using System.Globalization;

namespace Stout.Director.Experiments.Truth;

/// <summary>One process of the document service on the loopback. It ends with its standard input, and so with this process.</summary>
internal sealed class ServiceProcess : IDisposable
{
    private const string Listening = "Now listening on: ";
    private static readonly TimeSpan LongestStart = TimeSpan.FromSeconds(30);

    private readonly Process _process;

    private ServiceProcess(Process process, Uri address) => (_process, Address) = (process, address);

    public Uri Address { get; }

    /// <summary>Starts a process, and returns when it listens.</summary>
    /// <param name="port">The port; 0 for any that is free.</param>
    /// <param name="settings">Further settings, as arguments.</param>
    /// <param name="cancellationToken">Cancels the start.</param>
    public static async Task<ServiceProcess> StartAsync(int port, IEnumerable<string> settings, CancellationToken cancellationToken)
    {
        string[] arguments =
        [
            Find(), FormattableString.Invariant($"--urls=http://127.0.0.1:{port}"), "--Stout:Store=InMemory", "--SectionedDocuments:RequestsPerSecond=0", "--Test:EndsWithInput=true",
            FormattableString.Invariant($"--Test:Slots={TruthSetup.Slots}"), FormattableString.Invariant($"--Test:SlotMilliseconds={TruthSetup.SlotMilliseconds}"), .. settings,
        ];
        var process = Process.Start(new ProcessStartInfo("dotnet", arguments) { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true })!;
        try
        {
            process.ErrorDataReceived += (_, _) => { };
            process.BeginErrorReadLine();
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            limit.CancelAfter(LongestStart);
            while (await process.StandardOutput.ReadLineAsync(limit.Token) is { } line)
            {
                if (!line.Contains(Listening, StringComparison.Ordinal))
                    continue;
                // A pipe without a reader would fill, and block the process.
                _ = process.StandardOutput.BaseStream.CopyToAsync(Stream.Null, CancellationToken.None);
                return new ServiceProcess(process, new Uri(line[(line.IndexOf(Listening, StringComparison.Ordinal) + Listening.Length)..]));
            }

            throw new ExperimentException("The document service ended at its start.");
        }
        catch
        {
            Kill(process);
            throw;
        }
    }

    public void Dispose() => Kill(_process);

    private static void Kill(Process process)
    {
        using (process)
        {
            process.Kill();
            process.WaitForExit();
        }
    }

    private static string Find()
    {
        var output = new DirectoryInfo(AppContext.BaseDirectory);
        for (var folder = output.Parent; folder is not null; folder = folder.Parent)
        {
            var path = Path.Combine(folder.FullName, "tests", "ServiceUnderTest", "bin", output.Parent!.Name, output.Name, "ServiceUnderTest.dll");
            if (File.Exists(path))
                return path;
        }

        throw new ExperimentException(string.Create(CultureInfo.InvariantCulture, $"tests/ServiceUnderTest is not built: dotnet build tests/ServiceUnderTest -c {output.Parent!.Name}"));
    }
}
