namespace SectionedDocuments.Tests.Durability;

/// <summary>The counters of a service under test before it was killed.</summary>
internal static class BatchesInFlight
{
    /// <summary>The number of write requests that the store had not answered.</summary>
    public static long Read(string counters)
    {
        var numbers = File.ReadAllBytes(counters);
        return BitConverter.ToInt64(numbers, 0) - BitConverter.ToInt64(numbers, sizeof(long));
    }
}
