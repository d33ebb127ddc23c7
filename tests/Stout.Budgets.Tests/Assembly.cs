// The tests run one at a time, so that the allocations of one do not count for another.
[assembly: Xunit.v3.Parallelization(Mode = Xunit.Sdk.ParallelMode.None)]
