// The tests run one at a time, since each one starts several processes, which would slow down those of other tests.
[assembly: Xunit.v3.Parallelization(Mode = Xunit.Sdk.ParallelMode.None)]
