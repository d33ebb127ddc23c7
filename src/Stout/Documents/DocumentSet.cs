using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Stout.Lanes.Shell;
using Stout.Storage;

namespace Stout.Documents;

/// <summary>The documents of one collection in memory, by id.</summary>
internal sealed class DocumentSet
{
    // The longest delay between two attempts of a call after conflicts. After 256 ms of conflicts the delay is 1 ms at most.
    private const int LongestDelayMilliseconds = 128;

    /// <summary>The separator between a collection's name, which cannot contain it, and an object's id.</summary>
    public const char Separator = '/';

    private readonly ConcurrentDictionary<string, Document> _documents = new(StringComparer.Ordinal);
    private readonly string _name;
    private readonly string _prefix;
    private readonly DocumentStore _store;
    private long _moment;

    public DocumentSet(string name, DocumentStore store, bool isFresh, bool claims)
    {
        _name = name;
        _prefix = name + Separator;
        _store = store;
        IsFresh = isFresh;
        Claims = claims;
    }

    /// <summary>Whether a call that changes nothing has to return a state that was in the store after the call began (<see cref="Freshness.Store"/>).</summary>
    public bool IsFresh { get; }

    /// <summary>Whether the fill of an object claims its key.</summary>
    public bool Claims { get; }

    /// <summary>Returns the next value of a counter that orders the collection's calls, fills and changes; 0 unless <see cref="IsFresh"/>.</summary>
    public long NextMoment() => IsFresh ? Interlocked.Increment(ref _moment) : 0;

    /// <summary>
    /// Waits before the next attempt, from the third conflict on. The delay is random and grows, so that the attempts of several replicas stop conflicting. Its
    /// bound falls by half of the call's age, so that older calls win against younger ones. Otherwise the calls with the most conflicts would wait longest.
    /// </summary>
    /// <param name="conflicts">The number of conflicts of the call.</param>
    /// <param name="age">The time since the call's first conflict.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public Task DelayAsync(int conflicts, TimeSpan age, CancellationToken cancellationToken)
    {
        if (conflicts <= 2)
            return Task.CompletedTask;
        var bound = Math.Max(1, Math.Min(1 << Math.Min(conflicts, 20), LongestDelayMilliseconds) - (age.TotalMilliseconds / 2));
        return Task.Delay(TimeSpan.FromMilliseconds(_store.Draw() * bound), _store.Time, cancellationToken);
    }

    /// <summary>The limits of callers' waits; null without one.</summary>
    public AnswerLimits? Answers => _store.Client.Answers;

    public DocumentCache Cache => _store.Cache;

    public StorageLimits Limits => _store.Client.Limits;

    public RoundTripCheck RoundTripCheck => _store.RoundTripCheck;

    public TimeProvider Time => _store.Time;

    /// <summary>A random number from 0 to 1.</summary>
    public double Draw() => _store.Draw();

    public bool IsOpen => _store.Client.IsOpen;

    public StoutOptions Options => _store.Client.Options;

    /// <summary>Returns the object's document if it is in memory or being filled.</summary>
    public Document? Find(string id) => _documents.GetValueOrDefault(id);

    /// <summary>Returns the object's document, and starts its fill if it is not in memory. Concurrent callers share one fill.</summary>
    /// <param name="id">The object's id.</param>
    /// <param name="canBeAbandoned">Whether the caller may stop waiting for the fill.</param>
    public Document FindOrFill(string id, bool canBeAbandoned)
    {
        ArgumentNullException.ThrowIfNull(id);
        _store.ThrowIfStopped();
        if (_documents.TryGetValue(id, out var document))
        {
            if (document.IsRunningHere)
                throw new InvalidOperationException("A function may not call its own object: it holds the object's lock. It sees and changes the object by its argument.");
            return document;
        }

        if (id.Length == 0)
            throw new InvalidKeyException(InvalidKeyReason.Empty, 0, PartitionKey.MaxBytes - _prefix.Length);
        var created = new Document(new PartitionKey(_prefix + id), id, this, canBeAbandoned);
        document = _documents.GetOrAdd(id, created);
        if (ReferenceEquals(document, created))
            _ = created.FillAsync(_store.Client); // Not awaited: the fill serves all waiting calls, even if this call stops waiting.
        return document;
    }

    /// <summary>
    /// Returns the object's filled document, after taking its gate (the object's lock) for the caller. A call that will change the object also waits
    /// for admission, once the document is filled.
    /// </summary>
    public ValueTask<Document> EnterAsync(string id, bool toChange, AnswerLimit limit) =>
        EnterAsync(FindOrFill(id, limit.Token.CanBeCanceled), toChange, limit);

    /// <summary>
    /// As <see cref="EnterAsync(string, bool, AnswerLimit)"/>, for a document that the caller has found already. If the document's fill has failed
    /// meanwhile, the call fails with that error, without another read.
    /// </summary>
    public async ValueTask<Document> EnterAsync(Document document, bool toChange, AnswerLimit limit)
    {
        var isAdmitted = !toChange;
        try
        {
            for (; ; document = FindOrFill(document.Id, limit.Token.CanBeCanceled))
            {
                await document.EnterGateAsync(limit.Token).ConfigureAwait(false);
                if (_store.HasEnded)
                {
                    document.Gate.Release();
                    throw new StoppedException();
                }

                if (document.IsUsable)
                {
                    document.CacheNode.IsReferenced = true;
                    if (isAdmitted || document.IsAdmissionOpen)
                        return document;

                    // The call waits without the gate, which readers and eviction need meanwhile. One wait admits the call, even if the document is then
                    // replaced.
                    document.Gate.Release();
                    await document.AdmitAsync(limit.Token).ConfigureAwait(false);
                    isAdmitted = true;
                    continue;
                }

                document.Gate.Release();
                document.ThrowIfFillFailed();
                Discard(document);
            }
        }
        catch (OperationCanceledException) when (limit.HasEnded)
        {
            throw limit.ErrorOf(document.NotBegunInTime(toChange));
        }
    }

    /// <summary>Reads the stored state of an object, without claiming the object.</summary>
    public ValueTask<PeekedKey> PeekAsync(string id, CancellationToken cancellationToken) =>
        _store.Client.PeekAsync(new PartitionKey(_prefix + id), cancellationToken);

    /// <summary>The ids of the stored objects with a prefix.</summary>
    public async IAsyncEnumerable<string> ListAsync(string prefix, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        _store.ThrowIfStopped();
        await foreach (var key in _store.Client.ListKeysAsync(_prefix + prefix, cancellationToken).ConfigureAwait(false))
            yield return key.Text[_prefix.Length..];
    }

    /// <summary>Reports the failures of a background job of this collection.</summary>
    public void Watch(BackgroundJob job) => _store.Client.Watch(job, _name);

    /// <summary>Removes a document from the collection. The document must not be in the cache's ring.</summary>
    public void Remove(Document document) => _documents.TryRemove(KeyValuePair.Create(document.Id, document));

    /// <summary>
    /// Removes an unusable document, and lets the calls that wait at its gate continue. These calls must not wait for the gate's holder, since its function may
    /// itself wait for one of them.
    /// </summary>
    public void Discard(Document document)
    {
        Cache.Remove(document);
        if (_documents.TryRemove(KeyValuePair.Create(document.Id, document)))
            document.Gate.Release();
    }

    /// <summary>
    /// Releases every gate at the end of the drain. The calls that waited there run no function: they fail with <see cref="StoppedException"/>.
    /// </summary>
    public void OpenGates()
    {
        foreach (var document in _documents.Values)
            document.Gate.Release();
    }
}
