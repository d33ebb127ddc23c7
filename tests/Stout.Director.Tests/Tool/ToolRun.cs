using System.CommandLine;
using Stout.Director.Tool.Commands;

namespace Stout.Director.Tests.Tool;

/// <summary>Runs the tool's commands in this process.</summary>
internal static class ToolRun
{
    // An exception that no command turns into an error message fails the test. By default it would give the same exit code.
    private static readonly InvocationConfiguration Strict = new() { EnableDefaultExceptionHandler = false };

    public static Task<int> RunAsync(params string[] arguments) => RootCommands.Create().Parse(arguments).InvokeAsync(Strict, TestContext.Current.CancellationToken);
}
