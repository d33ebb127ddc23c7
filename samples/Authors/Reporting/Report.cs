using Authors.Replay;

namespace Authors.Reporting;

/// <summary>Prints the authors' latencies, and the number of keystrokes for each request to the store.</summary>
internal static class Report
{
    public static void Write(
        TextWriter output, IReadOnlyList<Author> authors, TimeSpan elapsed, long requests, StoreFigures before, StoreFigures after)
    {
        var keystrokes = authors.Sum(author => (long)author.Done);
        output.WriteLine($"{"document",-24} {"keystrokes",10} {"per s",9} {"mean ms",9} {"p50 ms",9} {"p99 ms",9} {"max ms",9}");
        foreach (var author in authors)
            WriteRow(output, author.Document, author.Done, author.Elapsed, author.Latencies);
        WriteRow(output, "total", keystrokes, elapsed, authors.SelectMany(author => author.Latencies));
        output.WriteLine($"{requests:N0} HTTP requests in {elapsed.TotalSeconds:N1} s");

        var writes = after.WriteRequests - before.WriteRequests;
        var keys = after.KeysWritten - before.KeysWritten;
        if (writes <= 0 || keys <= 0)
            output.WriteLine("The service was restarted meanwhile: what its store was asked for is not known.");
        else
            output.WriteLine($"{(double)keystrokes / writes:N2} keystrokes per store write request, {(double)keystrokes / keys:N2} per key written");
    }

    private static void WriteRow(TextWriter output, string name, long keystrokes, TimeSpan elapsed, IEnumerable<double> milliseconds)
    {
        var latencies = Latencies.Of(milliseconds);
        var rate = elapsed > TimeSpan.Zero ? keystrokes / elapsed.TotalSeconds : 0;
        output.WriteLine(
            $"{name,-24} {keystrokes,10:N0} {rate,9:N0} {latencies.Mean,9:N2} {latencies.Median,9:N2} {latencies.Percentile99,9:N2} {latencies.Max,9:N2}");
    }
}
