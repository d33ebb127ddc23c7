namespace Stout.Benchmarks.Throughput;

/// <summary>The figures of one turn of a variant, per operation.</summary>
/// <param name="Microseconds">The time.</param>
/// <param name="ProcessorMicroseconds">The processor time of this process.</param>
/// <param name="Bytes">The bytes allocated on the heap.</param>
/// <param name="ServerMicroseconds">The processor time of the server; 0 if it is not counted.</param>
internal readonly record struct Turn(double Microseconds, double ProcessorMicroseconds, double Bytes, double ServerMicroseconds);
