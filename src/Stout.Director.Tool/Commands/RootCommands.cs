using System.CommandLine;

namespace Stout.Director.Tool.Commands;

/// <summary>The command line.</summary>
internal static class RootCommands
{
    public static RootCommand Create() => new("Trains, simulates, compares and explains Stout.Director.")
    {
        TrainCommand.Create(), SimulateCommand.Create(), WhatIfCommand.Create(), ExplainCommand.Create(),
    };

    /// <summary>Runs a command. An error that the user can mend becomes one line on standard error and exit code 1.</summary>
    public static int Guard(Action run)
    {
        try
        {
            run();
            return 0;
        }
        catch (OperationCanceledException)
        {
            Console.Error.WriteLine("Stopped.");
            return 130;
        }
        catch (Exception error) when (error is DirectorException or IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine(error.Message);
            return 1;
        }
    }
}
