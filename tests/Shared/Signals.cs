using System.Runtime.InteropServices;

namespace Stout.Tests.Shared;

/// <summary>Signals to processes of Linux.</summary>
internal static class Signals
{
    private const int SigCont = 18;
    private const int SigStop = 19;

    /// <summary>Suspends a process by SIGSTOP. Its connections stay open.</summary>
    public static void Suspend(int process) => _ = Send(process, SigStop);

    /// <summary>Continues a suspended process by SIGCONT.</summary>
    public static void Resume(int process) => _ = Send(process, SigCont);

    [DllImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static extern int Send(int process, int signal);
}
