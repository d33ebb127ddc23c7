using System.CommandLine;

namespace Stout.Director.Tool.Commands;

/// <summary>The command line.</summary>
internal static class RootCommands
{
    public static RootCommand Create() => new("Trains, simulates, compares and explains Stout.Director.")
    {
        TrainCommand.Create(), SimulateCommand.Create(), ImportCommand.Create(), HistoryCommands.CreateModel(), HistoryCommands.CreateBacktest(), WhatIfCommand.Create(), ExplainCommand.Create(),
    };

    /// <inheritdoc cref="Guard"/>
    public static async Task<int> GuardAsync(Func<Task> run)
    {
        try
        {
            await run().ConfigureAwait(false);
            return 0;
        }
        catch (Exception error) when (IsTold(error))
        {
            return Tell(error);
        }
    }

    /// <summary>Runs a command. An error that the user can mend becomes one line on standard error and exit code 1.</summary>
    public static int Guard(Action run)
    {
        try
        {
            run();
            return 0;
        }
        catch (Exception error) when (IsTold(error))
        {
            return Tell(error);
        }
    }

    private static bool IsTold(Exception error) => error is OperationCanceledException or DirectorException or IOException or UnauthorizedAccessException;

    private static int Tell(Exception error)
    {
        Console.Error.WriteLine(error is OperationCanceledException ? "Stopped." : error.Message);
        return error is OperationCanceledException ? 130 : 1;
    }
}
