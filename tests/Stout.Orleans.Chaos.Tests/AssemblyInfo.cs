// The tests run one after the other, since the silos of one run use all processors.
[assembly: Xunit.v3.Parallelization(Mode = Xunit.Sdk.ParallelMode.None)]
