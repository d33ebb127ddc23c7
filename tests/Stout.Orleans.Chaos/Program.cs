using System.CommandLine;
using Stout.Orleans.Chaos;
using Stout.Orleans.Chaos.Grains;
using Stout.Orleans.Chaos.Processes;
using Stout.Orleans.Chaos.Silos;

// Tests clusters of silo processes under faults, on a PostgreSQL server of the run's own. Each silo process runs this program, too.
if (args is [SiloProcess.Argument])
{
    await SiloProgram.RunAsync();
    return 0;
}

var seed = new Option<int>("--seed") { Description = "The seed of requests and faults.", DefaultValueFactory = _ => 1 };
var faults = new Option<int>("--faults") { Description = "How many faults.", DefaultValueFactory = _ => 20 };
var minutes = new Option<double>("--minutes") { Description = "The most minutes.", DefaultValueFactory = _ => 60 };
var requests = new Option<int?>("--requests") { Description = "The least requests; 1,500 a fault without it." };
var silos = new Option<int>("--silos") { Description = "How many silos the cluster has: 3 or more.", DefaultValueFactory = _ => 3 };
var fault = new Option<string?>("--fault") { Description = "The only kind of fault, as the report names it." };
var command = new RootCommand("Silos are killed, suspended and cut off while clients write and read grains; the answers have to be linearizable.") { seed, faults, minutes, requests, silos, fault };
command.SetAction(async (parsed, _) =>
{
    var options = new ChaosOptions(parsed.GetValue(seed), parsed.GetValue(faults), parsed.GetValue(requests) ?? (1_500 * parsed.GetValue(faults)))
    {
        AtMost = TimeSpan.FromMinutes(parsed.GetValue(minutes)),
        Log = static line => Console.WriteLine(FormattableString.Invariant($"{DateTime.Now:HH:mm:ss} {line}")),
        Fault = parsed.GetValue(fault),
        Clients = 32,
        Documents = 4 * DocumentKinds.Count,
    };
    var report = await ProcessRun.RunAsync(options, parsed.GetValue(silos));
    Console.WriteLine(report.Figures);
    string[] found = [.. report.Violations, .. report.Undecided.Select(verdict => verdict.ToString())];
    foreach (var violation in found)
        Console.WriteLine(violation);
    Console.WriteLine(FormattableString.Invariant($"{found.Length} violations"));
    return found.Length == 0 ? 0 : 1;
});
return await command.Parse(args).InvokeAsync();
