using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>Whether a write may be applied on what the store holds.</summary>
internal static class StampCheck
{
    /// <returns>What has become of the write already, or null: it is to be applied.</returns>
    public static WriteOutcomeKind? Judge(in Stamp stored, in KeyWrite write)
    {
        if (stored == write.Next)
            return WriteOutcomeKind.Committed;
        if (stored.Epoch > write.Next.Epoch)
            return WriteOutcomeKind.Fenced;
        return stored == write.Expected ? null : WriteOutcomeKind.Conflict;
    }
}
