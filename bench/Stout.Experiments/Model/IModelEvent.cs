namespace Stout.Experiments.Model;

/// <summary>An event at a moment of virtual time. Event objects are reused, so an event allocates nothing.</summary>
internal interface IModelEvent
{
    void Happen(TimeSpan now);
}
