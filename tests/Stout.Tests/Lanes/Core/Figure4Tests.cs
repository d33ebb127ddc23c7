namespace Stout.Tests.Lanes.Core;

/// <summary>
/// The paper's figure 4: the dirty-key table, the table of in-progress operations, and acknowledgements out of order. The paper sends a key's next
/// operation before the previous one is answered, and asks the store to commit them in order. Here a key has at most one batch in flight.
/// </summary>
public sealed class Figure4Tests
{
    private readonly CoreDriver _lane = new();

    [Fact]
    public void Figure_4_acknowledgements_out_of_order_and_messages_of_each_key_in_order()
    {
        var (key11, key21, key51) = (_lane.Open("11"), _lane.Open("21"), _lane.Open("51"));

        // Write collapsing: two updates of key 11 in operation 29. Batching: key 51 in the same operation.
        var first = _lane.Change(key11);
        var second = _lane.Change(key11);
        var of51 = _lane.Change(key51);
        _lane.Pass();
        _lane.SerializeAll();
        var operation29 = Assert.Single(_lane.Writes);
        Assert.Equal(2, operation29.Count);

        // Key 11 is dirty again, and key 21 leaves in operation 30.
        var third = _lane.Change(key11);
        var of21 = _lane.Change(key21);
        _lane.Pass();
        _lane.SerializeAll();
        var operation30 = _lane.Writes[1];
        Assert.Equal((1, "21"), (operation30.Count, operation30.Batch[0].Key.Text));

        // The acknowledgement of 30 arrives before that of 29.
        _lane.Answer(operation30);
        Assert.Equal([of21], _lane.Released);
        _lane.Answer(operation29);
        Assert.Equal([of21, first, second, of51], _lane.Released);

        // The changes that key 11 collected meanwhile leave, on top of those of operation 29.
        _lane.SerializeAll();
        var operation31 = Assert.Single(_lane.Writes);
        _lane.Answer(operation31);
        Assert.Equal([of21, first, second, of51, third], _lane.Released);
        Assert.All(_lane.Released, message => Assert.True(message.IsSafe));
    }
}
