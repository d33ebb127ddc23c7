using System.CommandLine;
using System.Globalization;

namespace Stout.Against;

/// <summary>Compares two builds of Stout. <c>bench/against.sh COMMIT</c> makes both and starts the comparison.</summary>
internal static class Program
{
    private static int Main(string[] args)
    {
        CultureInfo.DefaultThreadCurrentCulture = CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        var root = new RootCommand("Compares two builds of Stout by alternated rounds of durable updates.") { Compare(), Turn() };
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

    private static Command Turn()
    {
        var (store, writers, seconds) = (new Argument<string>("store"), new Argument<int>("writers"), new Argument<double>("seconds"));
        store.AcceptOnlyFromAmong(Turns.Stores);
        var command = new Command("turn", "One turn of compare.") { store, writers, seconds };
        command.SetAction(async (parsed, _) => await Turns.RunAsync(parsed.GetRequiredValue(store), parsed.GetValue(writers), TimeSpan.FromSeconds(parsed.GetValue(seconds))));
        return command;
    }
}
