// Each test has a browser's page and a service of its own; side by side they would only starve each other.
[assembly: Xunit.v3.Parallelization(Mode = Xunit.Sdk.ParallelMode.None)]
