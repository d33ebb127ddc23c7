// What one test allocates must not be counted against another.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
