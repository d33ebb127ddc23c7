// The tests run one at a time, since each one has its own browser page and service, which would slow down those of other tests.
[assembly: Xunit.v3.Parallelization(Mode = Xunit.Sdk.ParallelMode.None)]
