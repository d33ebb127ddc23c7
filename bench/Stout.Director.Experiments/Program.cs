using Stout.Director.Experiments;

return await DirectorCommand.Create().Parse(args).InvokeAsync();
