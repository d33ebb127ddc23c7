// Each test starts processes of its own; side by side they would only starve each other.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
