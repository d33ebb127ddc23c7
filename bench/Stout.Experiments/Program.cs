using System.Globalization;
using Stout.Experiments.Laws;
using Stout.Experiments.Model;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

var sw = System.Diagnostics.Stopwatch.StartNew();
var law = LawCatalogue.Find(args[1])!;
var f = Simulation.Run(new Scenario { Store = StoreKinds.Find(args[0])!, Load = LoadProfile.Constant(double.Parse(args[2], CultureInfo.InvariantCulture)), Law = _ => law, Duration = TimeSpan.FromSeconds(int.Parse(args[3], CultureInfo.InvariantCulture)), Scope = args.Length > 4 ? LawScope.Process : LawScope.Lane, Warmup = TimeSpan.FromSeconds(int.Parse(args[3], CultureInfo.InvariantCulture) / 6) });
Console.WriteLine($"{args[0]} {args[1]} {args[2]}: mean {f.MeanMilliseconds:F2} p99 {f.P99Milliseconds:F1} reads {f.Reads.MeanMilliseconds:F2} achieved {f.Achieved:F0} overloaded {f.Overloaded} collapsed {f.CollapsedShare:P1} batch {f.BatchSize:F2} intrvl {f.Intervals[^1]:F1} little {f.LittleRatio:F4} refused {f.KeysRefused} wall {sw.Elapsed.TotalSeconds:F2} alloc {GC.GetTotalAllocatedBytes() >> 20} MB gcs {GC.CollectionCount(0)}");
