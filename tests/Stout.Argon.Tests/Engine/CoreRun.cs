using Stout.Argon.Engine;

namespace Stout.Argon.Tests.Engine;

/// <summary>Drives a core with a device that completes every request at the next step.</summary>
internal static class CoreRun
{
    /// <summary>Carries out all commands. Each step takes a millisecond, or the time to the core's next wake-up if no request is issued.</summary>
    public static void Carry(ArgonCore core, ref TimeSpan now)
    {
        while (core.Issued.Count > 0 || core.Completed.Count > 0 || core.Wake is not null)
        {
            var step = now + TimeSpan.FromMilliseconds(1);
            now = core.Wake is { } wake && wake > step && core.Issued.Count == 0 ? wake : step;
            core.Tick(now);
            foreach (var io in core.Issued.ToArray())
            {
                core.Issued.Remove(io);
                core.IoDone(io, null, now);
            }

            foreach (var request in core.Completed.ToArray())
            {
                core.Completed.Remove(request);
                core.Release(request, now);
            }
        }
    }
}
