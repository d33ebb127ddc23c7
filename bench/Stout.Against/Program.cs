using System.CommandLine;
using System.Globalization;

namespace Stout.Against;

/// <summary>Compares two builds of Stout. <c>bench/against.sh COMMIT</c> makes both and starts the comparison.</summary>
internal static class Program
{
    private static int Main(string[] args)
    {
        CultureInfo.DefaultThreadCurrentCulture = CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        var root = new RootCommand("Compares two builds of Stout by alternated rounds of durable updates.") { Compare(), Turn(), CompareReplicas(), OneReplica() };
        return root.Parse(args).Invoke();
    }

    private static Command Compare()
    {
        var (former, current) = (new Argument<string>("former"), new Argument<string>("current"));
        var stores = new Option<string[]>("--stores") { Description = "The stores.", DefaultValueFactory = _ => Turns.Stores, AllowMultipleArgumentsPerToken = true };
        stores.AcceptOnlyFromAmong(Turns.Stores);
        var writers = new Option<int[]>("--writers") { Description = "The numbers of writers.", DefaultValueFactory = _ => [64], AllowMultipleArgumentsPerToken = true };
        var rounds = new Option<int>("--rounds") { Description = "Alternated rounds.", DefaultValueFactory = _ => 15 };
        var seconds = new Option<double>("--seconds") { Description = "The measured length of a turn, after 2 s of warm-up.", DefaultValueFactory = _ => 2 };
        var command = new Command("compare", "Alternates the two programs.") { former, current, stores, writers, rounds, seconds };
        command.SetAction(async (parsed, _) => await Rounds.RunAsync(
            parsed.GetRequiredValue(former), parsed.GetRequiredValue(current), parsed.GetRequiredValue(stores), parsed.GetRequiredValue(writers), parsed.GetValue(rounds), parsed.GetValue(seconds)));
        return command;
    }

    private static Command CompareReplicas()
    {
        var (former, current) = (new Argument<string>("former"), new Argument<string>("current"));
        var replicas = new Option<int>("--replicas") { Description = "The replicas, a process each.", DefaultValueFactory = _ => 6 };
        var callers = new Option<int>("--callers") { Description = "The callers of each replica.", DefaultValueFactory = _ => 16 };
        var rounds = new Option<int>("--rounds") { Description = "Alternated rounds.", DefaultValueFactory = _ => 5 };
        var seconds = new Option<double>("--seconds") { Description = "The length of a turn.", DefaultValueFactory = _ => 8 };
        var command = new Command("replicas", "Alternates the two programs as replicas that change one object of PostgreSQL.") { former, current, replicas, callers, rounds, seconds };
        command.SetAction(async (parsed, _) => await Replicas.RunAsync(
            parsed.GetRequiredValue(former), parsed.GetRequiredValue(current), parsed.GetValue(replicas), parsed.GetValue(callers), parsed.GetValue(rounds), parsed.GetValue(seconds)));
        return command;
    }

    private static Command OneReplica()
    {
        var (schema, callers, seconds) = (new Argument<string>("schema"), new Argument<int>("callers"), new Argument<double>("seconds"));
        var command = new Command("replica", "One replica of replicas.") { schema, callers, seconds };
        command.SetAction(async (parsed, _) => await Replica.RunAsync(parsed.GetRequiredValue(schema), parsed.GetValue(callers), TimeSpan.FromSeconds(parsed.GetValue(seconds))));
        return command;
    }

    private static Command Turn()
    {
        var (store, writers, seconds) = (new Argument<string>("store"), new Argument<int>("writers"), new Argument<double>("seconds"));
        store.AcceptOnlyFromAmong(Turns.Stores);
        var command = new Command("turn", "One turn of compare.") { store, writers, seconds };
        command.SetAction(async (parsed, _) => await Turns.RunAsync(parsed.GetRequiredValue(store), parsed.GetValue(writers), TimeSpan.FromSeconds(parsed.GetValue(seconds))));
        return command;
    }
}
