namespace Stout.Pacing;

/// <summary>An answered write of a trial beside what is known of the store, in milliseconds.</summary>
/// <param name="Latency">What it took.</param>
/// <param name="Passed">The time that had passed since the batch before it.</param>
/// <param name="Idle">What it would have taken on the idle store.</param>
/// <param name="Lowest">The least that such a request ever takes.</param>
/// <param name="KeyTime">What its keys take of that by themselves.</param>
/// <param name="Fullness">How many they are, as a share of a full request's.</param>
internal readonly record struct TrialAnswer(double Latency, double Passed, double Idle, double Lowest, double KeyTime, double Fullness);
