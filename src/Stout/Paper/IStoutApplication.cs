namespace Stout;

/// <summary>
/// The application's callbacks, which convert its objects to bytes and back (the paper's API, section 4.4). Callbacks run on the thread pool, never on
/// a lane's loop; callbacks of different keys may overlap.
/// </summary>
public interface IStoutApplication
{
    /// <summary>
    /// Creates the in-memory object of a key during its fill (the paper's App.Deserialize). The handle works after the fill has completed.
    /// </summary>
    /// <remarks>
    /// A callback that exceeds its time limit may run beside the callback of the key's next fill. Check <see cref="KeyHandle.IsClosed"/> inside the
    /// object's lock, and drop the object of a closed handle.
    /// </remarks>
    /// <param name="filled">The key, its new handle, and its stored parts, if it exists.</param>
    /// <param name="cancellationToken">Fires when the callback has run for longer than <see cref="StoutOptions.CallbackTimeout"/>.</param>
    /// <exception cref="Exception">Any exception fails the fill with <see cref="FillFailedException"/>.</exception>
    ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken);

    /// <summary>
    /// Writes the dirty parts of every key of the batch (the paper's App.Serialize; completing the returned task is its SerializeDone). For each key,
    /// the callback writes or deletes every requested part, defers the key, or fails it.
    /// </summary>
    /// <param name="batch">The keys and their dirty parts.</param>
    /// <param name="cancellationToken">Fires when the callback has run for longer than <see cref="StoutOptions.CallbackTimeout"/>.</param>
    /// <exception cref="Exception">Any exception fails the key accessed last with <see cref="NotAppliedException"/>, or all keys if the callback
    /// accessed no key. Completely written keys are sent; the others are serialized again.</exception>
    ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken);
}
