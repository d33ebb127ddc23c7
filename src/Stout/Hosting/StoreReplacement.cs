using Stout.Storage;

namespace Stout.Hosting;

/// <summary>A store in place of the one that the application has chosen. Of several replacements of one Stout, the last one counts.</summary>
/// <param name="Create">Creates a proxy that is not open.</param>
internal sealed record StoreReplacement(Func<IServiceProvider, IStorageProxy> Create);
