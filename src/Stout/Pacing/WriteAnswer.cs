namespace Stout.Pacing;

/// <summary>An answered write beside what is known of the store. Times in milliseconds.</summary>
/// <param name="SentAt">When it left.</param>
/// <param name="Latency">What it took.</param>
/// <param name="Passed">The time that had passed since the batch before it.</param>
/// <param name="Keys">How many keys it carried.</param>
/// <param name="Idle">What it would have taken on the idle store.</param>
/// <param name="Lowest">The least that such a request ever takes.</param>
/// <param name="KeyTime">What its keys take of that by themselves.</param>
internal readonly record struct WriteAnswer(double SentAt, double Latency, double Passed, double Keys, double Idle, double Lowest, double KeyTime);
