namespace Stout;

/// <summary>
/// The application's side of the paper's API (section 4.4): how objects become bytes and bytes become objects. Callbacks run on
/// the thread pool, never on a lane's loop; those of different keys may overlap.
/// </summary>
public interface IStoutApplication
{
    /// <summary>
    /// App.Deserialize: makes the in-memory object of a key that is being filled. The handle works once the fill has completed.
    /// </summary>
    /// <remarks>
    /// A callback belongs to its handle. One that ends after its time limit may come beside the callback of the next fill: look at
    /// <see cref="KeyHandle.IsClosed"/> inside the lock under which you keep the object, and drop the object of a closed handle.
    /// </remarks>
    /// <param name="filled">The key, its new handle, and its stored parts, if it exists.</param>
    /// <param name="cancellationToken">Set when the callback has taken longer than <see cref="StoutOptions.CallbackTimeout"/>.</param>
    /// <exception cref="Exception">Any exception fails the fill with <see cref="FillFailedException"/>.</exception>
    ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken);

    /// <summary>
    /// App.Serialize: writes the dirty parts of every key of the batch; its completion is the paper's SerializeDone. Of each key it
    /// writes or deletes every part that it is asked for, or leaves the key for a later batch, or fails it.
    /// </summary>
    /// <param name="batch">The keys and their dirty parts.</param>
    /// <param name="cancellationToken">Set when the callback has taken longer than <see cref="StoutOptions.CallbackTimeout"/>.</param>
    /// <exception cref="Exception">
    /// Any exception fails the key that was last looked at, or all if none was, with <see cref="NotAppliedException"/>. Keys that are
    /// completely written go on their way; the others are asked for again.
    /// </exception>
    ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken);
}
