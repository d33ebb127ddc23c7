using Stout.Experiments;

return await ExperimentsCommand.Create().Parse(args).InvokeAsync();
