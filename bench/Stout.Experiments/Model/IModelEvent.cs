namespace Stout.Experiments.Model;

/// <summary>What happens at a moment of model time. Objects and not delegates: they are used again, so that an event allocates nothing.</summary>
internal interface IModelEvent
{
    void Happen(TimeSpan now);
}
